import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../config.ts'

/** The refusals that a test run has provoked, collected from the logs of its worlds: one key per line. */
const folder = join(projectFolder, '.data', 'test-results')
const file = join(folder, 'refusals')
/** The same with the call: path and key per line. */
const callsFile = join(folder, 'refusals-by-call')

const LogLine = z.looseObject({ reason: z.string().optional(), path: z.string().optional() })

/** Called at the start of a run. */
export function clearRefusals(): void {
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  rmSync(callsFile, { force: true })
}

const noted = new Set<string>()

/** Records the refusal of a log line, each key once per process. */
export function recordRefusal(line: string): void {
  const { reason, path = '' } = LogLine.parse(JSON.parse(line))
  if (reason === undefined) return
  note(file, reason)
  note(callsFile, `${path} ${reason}`)
}

function note(to: string, text: string): void {
  if (noted.has(text)) return
  noted.add(text)
  mkdirSync(folder, { recursive: true })
  appendFileSync(to, `${text}\n`)
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
