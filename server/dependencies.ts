import { availableParallelism } from 'node:os'
import type { Config } from './config.ts'
import { type Keys, deriveKeys } from './foundation/crypto.ts'
import { type Database, openDatabase } from './foundation/database.ts'
import { type Limiter, openLimiter } from './foundation/limits.ts'
import type { Log } from './foundation/log.ts'
import { type Hasher, openHasher } from './foundation/password-hashing.ts'
import { type Outbox, openOutbox } from './mail/outbox.ts'

/** The application's shared dependencies, created by process/ and by each test environment. */
export type App = {
  config: Config
  keys: Keys
  db: Database['prisma']
  pool: Database['pool']
  log: Log
  hasher: Hasher
  limiter: Limiter
  outbox: Outbox
  /** The only source of the current time. Tests replace it. */
  clock: () => Date
}

/** Opens all dependencies of the application. Returns them with a function that closes them. */
export function openDependencies(config: Config, databaseUrl: string, { secret, log }: { secret: string; log: Log }) {
  const [current = '', ...former] = secret.split(',')
  const keys = deriveKeys([current, ...former])
  const { pool, prisma, close } = openDatabase(databaseUrl, {
    onError: (error) => log.warn({ message: error.message }, 'database connection lost'),
  })
  const limiter = openLimiter(pool, config.hasRateLimit)
  const { smtpUrl, mailFrom: from } = config
  const outbox = openOutbox({ storageKeys: keys.storage, smtpUrl, from, limiter })
  const hasher = openHasher({ concurrency: Math.max(1, Math.ceil(availableParallelism() / config.webConcurrency)) })
  const app: App = { config, keys, db: prisma, pool, log, hasher, limiter, outbox, clock: () => new Date() }
  return {
    app,
    async close() {
      outbox.close()
      await close()
    },
  }
}
