import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../config.ts'

/** Which refusals a run of the tests has provoked, as the logs of its worlds have them: a key a line. */
const folder = join(projectFolder, '.data', 'test-results')
const file = join(folder, 'refusals')
/** The same with the call: path and key a line. */
const callsFile = join(folder, 'refusals-by-call')

const LogLine = z.looseObject({ reason: z.string().optional(), path: z.string().optional() })

/** A run begins. */
export function clearRefusals(): void {
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  rmSync(callsFile, { force: true })
}

const noted = new Set<string>()

/** Notes the refusal of a log line, each key once for a process. */
export function noteRefusal(line: string): void {
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

/** Which refusals this run has provoked of which call. */
export function provokedByCall(): [path: string, key: string][] {
  const lines = readFileSync(callsFile, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.split(' ').at(-1) ?? ''])
}

/** The keys that this run has provoked so far. */
export function provokedRefusals(): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').split('\n'))
}
