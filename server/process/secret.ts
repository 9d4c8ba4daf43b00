import { readFileSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSecret } from '../foundation/crypto.ts'
import { StartError } from './start-error.ts'

/** Loads the server's secret, or creates it in the data folder. Atomic, even if two processes start concurrently. */
export async function loadOrCreateSecret(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: 0o711 })
  const file = join(dataFolder, 'secret')
  const mine = `${file}.${process.pid}`
  await writeFile(mine, newSecret(), { mode: 0o600 })
  await link(mine, file).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  await rm(mine, { force: true })
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new StartError(`The secret in ${file} is damaged: restore it, or set AUTH_SECRET.`)
  return secret
}
