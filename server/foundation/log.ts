import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** Fields redacted from every log line, at any depth of an event (SEC-90). */
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

/** Logs one JSON line per event, with redaction. Only paths are logged, never links or query strings. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    messageKey: 'event',
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
  }
  return destination ? pino(options, destination) : pino(options, pino.destination({ dest: 1, sync: true }))
}
