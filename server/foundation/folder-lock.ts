import { readFileSync, renameSync, rmSync } from 'node:fs'
import { link, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newId } from './crypto.ts'
import { PostgresError } from './postgres-error.ts'

/** How long to wait for another process that holds the lock, in milliseconds: longer than a start takes. */
const lockTimeoutMs = 60_000

/** Runs `work` under an exclusive lock file, shared by all processes that use this folder. */
export async function withFolderLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const file = join(folder, 'lock')
  const ownFile = `${file}.${process.pid}.${newId()}`
  await writeFile(ownFile, String(process.pid))
  try {
    for (let waited = 0; !(await tryLink(ownFile, file)); waited += 50) {
      if (isAbandoned(file)) {
        // Only one of several processes can rename the stale lock. A new lock created meanwhile belongs to a live
        // process.
        renameSync(file, `${ownFile}.old`)
        rmSync(`${ownFile}.old`, { force: true })
      }
      if (waited > lockTimeoutMs) {
        throw new PostgresError(`Another process has held ${file} for too long: stop it, or remove the file.`)
      }
      await wait(50)
    }
    held.add(file)
    return await work()
  } finally {
    if (held.delete(file)) rmSync(file, { force: true })
    rmSync(ownFile, { force: true })
  }
}

/** Locks held by this process. A lock file with our pid that is not in this set was left by an earlier process. */
const held = new Set<string>()

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isAbandoned(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    return owner === process.pid ? !held.has(file) : !(owner > 0 && isAlive(owner))
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
