import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** What never reaches a log line, wherever it stands in an event (SEC-90). */
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

/** One line of JSON for each event, with redaction. Links and queries are never logged, only paths. */
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
