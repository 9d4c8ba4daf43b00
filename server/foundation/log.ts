import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Fields redacted from every log line, at the top level and one level below (SEC-90). Events are logged no deeper. */
const secretFields = [
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'secret',
  'cookie',
  'authorization',
  'link',
]

/** Maximum characters buffered while the output accepts none. Further lines are dropped. */
const maxUnwritten = 1_000_000

/** Logs one JSON line per event, with redaction. Only paths are logged, never links or query strings. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  }
  if (destination) return pino(options, destination)
  const output = pino.destination({ dest: 1, sync: true, maxLength: maxUnwritten })
  // A full disk must not fail calls whose work is done: without a listener, each log line would throw.
  output.on('error', () => {})
  return pino(options, output)
}
