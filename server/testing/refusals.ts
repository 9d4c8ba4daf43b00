import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { collect, resultsFile } from './results.ts'

/** The refusals that a test run has provoked, collected from the logs of its test applications: one key per line. */
const file = resultsFile('refusals')
/** The same with the call: path and key per line. */
const callsFile = resultsFile('refusals-by-call')

const LogLine = z.looseObject({ reason: z.string().optional(), path: z.string().optional() })

/** Records the refusal of a log line, each key once per process. */
export function recordRefusal(line: string): void {
  const { reason, path = '' } = LogLine.parse(JSON.parse(line))
  if (reason === undefined) return
  collect(file, reason)
  collect(callsFile, `${path} ${reason}`)
}

/** The refusals that this run has provoked so far, with their calls. */
export function provokedByCall(): [path: string, key: string][] {
  const lines = readFileSync(callsFile, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1) ?? ''])
}

/** The keys of the refusals that this run has provoked so far. */
export function provokedRefusals(): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').split('\n'))
}
