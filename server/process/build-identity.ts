import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestMigration } from '../../prisma/migrate.ts'
import { sha256 } from '../foundation/crypto.ts'

/**
 * Identifies the program and the migrations in a folder: two folders with the same identity can serve one database
 * together.
 */
export function identifyBuild(folder: string): string {
  const file = join(folder, 'dist', 'server.js')
  // In development the sources run without it.
  const program = existsSync(file) ? sha256(readFileSync(file, 'utf8')) : ''
  return `${program} ${newestMigration(join(folder, 'prisma')) ?? ''}`
}
