import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../config.ts'

/** The processes of a test run append what they have seen to files here, which the summary reads at the end. */
const folder = join(projectFolder, '.data', 'test-results')

/** The path of the results file with this name. */
export function resultsFile(name: string): string {
  return join(folder, name)
}

/** Called at the start of a run. */
export function clearResults(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

const collected = new Set<string>()

/** Adds a line to a file, each once per process. */
export function collect(file: string, line: string): void {
  const key = `${file} ${line}`
  if (collected.has(key)) return
  collected.add(key)
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${line}\n`)
}
