import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../config.ts'

/** Which refusals a run of the tests has provoked, as the logs of its worlds have them: a key a line. */
const folder = join(projectFolder, '.data', 'test-results')
const file = join(folder, 'refusals')

const LogLine = z.looseObject({ reason: z.string().optional() })

/** A run begins. */
export function clearRefusals(): void {
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
}

const noted = new Set<string>()

/** Notes the refusal of a log line, each key once for a process. */
export function noteRefusal(line: string): void {
  const { reason } = LogLine.parse(JSON.parse(line))
  if (reason === undefined || noted.has(reason)) return
  noted.add(reason)
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${reason}\n`)
}

/** The keys that this run has provoked so far. */
export function provokedRefusals(): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').split('\n'))
}
