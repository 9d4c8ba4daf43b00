import { isProductionEnvironment } from '../config.ts'

// In production, every line of the output is a JSON document, as log collectors expect.

/** Prints a message for the operator: a plain line, or a log line in production. */
export function printEvent(event: string): void {
  console.log(isProductionEnvironment() ? line('info', event) : event)
}

/** Logs why the process ends. `error` is undefined if the message is sufficient. */
export function logFailure(event: string, error?: unknown): void {
  if (!isProductionEnvironment()) console.error(...(error === undefined ? [event] : [event, error]))
  else console.error(line('fatal', event, error))
}

/** Writes warnings of Node.js as log lines. */
export function logWarnings(): void {
  if (!isProductionEnvironment()) return
  process.removeAllListeners('warning')
  process.on('warning', (warning) => console.error(line('warn', warning.message)))
}

function line(level: string, event: string, error?: unknown): string {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  return JSON.stringify({
    level,
    time: new Date().toISOString(),
    event,
    ...(error !== undefined && { err: { message, stack } }),
  })
}
