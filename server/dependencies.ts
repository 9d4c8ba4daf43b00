import { availableParallelism } from 'node:os'
import type { Config } from './config.ts'
import { type Keys, deriveKeys } from './foundation/crypto.ts'
import { type Database, createDatabase } from './foundation/database.ts'
import { type Limiter, createLimiter } from './foundation/limits.ts'
import type { Log } from './foundation/log.ts'
import { type Metrics, createMetrics } from './foundation/metrics.ts'
import { type Hasher, createHasher } from './foundation/password-hashing.ts'
import { createPool } from './foundation/pool.ts'
import { createReplica, type Replica } from './foundation/replica.ts'
import { type Outbox, createOutbox } from './mail/outbox.ts'
import { createSigningKeys, type SigningKeys } from './token/signing-keys.ts'

/** The application's shared dependencies, created by process/ and by each test environment. */
export type App = {
  config: Config
  keys: Keys
  db: Database['prisma']
  pool: Database['pool']
  /** A small pool that applies payment events, so that a burst of them leaves connections for other requests. */
  paymentApplyPool: Database['pool']
  /** A small pool that stores received payment events, and failures to apply them: it waits for no advisory locks. */
  paymentStorePool: Database['pool']
  /** A standby for reading lists, if there is one. */
  replica: Replica | undefined
  log: Log
  hasher: Hasher
  limiter: Limiter
  outbox: Outbox
  /** The keys that sign tokens. */
  signingKeys: SigningKeys
  /** The metrics for METRICS_PORT. Undefined without it. */
  metrics: Metrics | undefined
  /** The only source of the current time. Tests replace it. */
  clock: () => Date
}

/** Connections of each process that apply payment events, and that store them. */
const applyConnections = 3
const storeConnections = 2
/**
 * How long a delivery waits for a connection to be stored, and then for one to be applied, in milliseconds. The
 * provider gives up after 15 s, and delivers it again, which has no effect if it was stored. What cannot be applied in
 * time is applied by a job.
 */
const storeWaitMs = 5_000
const applyWaitMs = 10_000

type Options = {
  /** AUTH_SECRET: the current secret and former ones, separated by commas. */
  secret: string
  log: Log
  /** Connections for all other requests. */
  connections?: number
  /** Tests use cheaper hashes, and a clock that they set. */
  hasher?: Hasher
  clock?: () => Date
}

/** Creates all dependencies of the application. Returns them with a function that closes them. */
export function createDependencies(
  config: Config,
  databaseUrl: string,
  {
    secret,
    log,
    connections,
    hasher = createHasher({ concurrency: Math.max(1, Math.ceil(availableParallelism() / config.webConcurrency)) }),
    clock = () => new Date(),
  }: Options,
) {
  const [current = '', ...former] = secret.split(',')
  const keys = deriveKeys([current, ...former])
  const { pool, prisma, close } = createDatabase(databaseUrl, {
    ...(connections !== undefined && { connections }),
    onError: (error) => log.warn({ message: error.message }, 'database connection lost'),
  })
  const smallPool = (size: number, waitMs: number) =>
    createPool(databaseUrl, { connections: size, onError: () => {}, waitMs })
  const paymentApplyPool = smallPool(applyConnections, applyWaitMs)
  const paymentStorePool = smallPool(storeConnections, storeWaitMs)
  const replica = config.replicaDatabaseUrl === undefined ? undefined : createReplica(config.replicaDatabaseUrl, pool)
  const limiter = createLimiter(pool, config.hasRateLimit)
  const { smtpUrl, mailFrom: from, brand, mailTexts: texts } = config
  const outbox = createOutbox({ storageKeys: keys.storage, smtpUrl, from, limiter, brand, texts })
  const signingKeys = createSigningKeys(prisma, keys.storage)
  const metrics = config.metricsPort === undefined ? undefined : createMetrics()
  metrics?.observe({
    pools: {
      calls: pool,
      payment_apply: paymentApplyPool,
      payment_store: paymentStorePool,
      ...(replica && { replica: replica.pool }),
    },
    hashing: hasher.load,
    replica,
  })
  const app: App = {
    config,
    keys,
    db: prisma,
    pool,
    paymentApplyPool,
    paymentStorePool,
    replica,
    log,
    hasher,
    limiter,
    outbox,
    signingKeys,
    metrics,
    clock,
  }
  return {
    app,
    async close() {
      outbox.close()
      await Promise.all([paymentApplyPool.end(), paymentStorePool.end()])
      await replica?.close()
      await close()
    },
  }
}
