import { hash, verify } from '@node-rs/argon2'
import { verifyForeign } from './foreign-hashes.ts'
import { refuse } from './refusal.ts'

/** OWASP's recommended parameters for argon2id: 19 MiB, two passes, one lane. Takes 22 to 30 ms here (SEC-03). */
const owaspParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Hasher = ReturnType<typeof openHasher>

/** Share of the queue reserved for known devices, so that a flood of unknown clients cannot lock users out (SEC-114). */
const reservedShare = 1 / 3

/** Every n-th free slot goes to an unprioritized request, so that known devices cannot starve the others. */
const othersTurn = 4

/**
 * Requests from a device that has signed in as this user before, and new passwords set with a mailed secret, are served
 * first and may use the reserved places in the queue.
 */
type Priority = { isPrioritized?: boolean }

type Options = { concurrency: number; maxWaiting?: number; parameters?: typeof owaspParameters }

/**
 * Runs argon2id on the thread pool: `concurrency` hashes at a time, `maxWaiting` in the queue, then 503 (SEC-04). At 25 ms
 * per hash and two at a time, the last of 128 queued requests is served within two seconds.
 */
export function openHasher({ concurrency, maxWaiting = 128, parameters = owaspParameters }: Options) {
  let running = 0
  let turns = 0
  const prioritized: (() => void)[] = []
  const others: (() => void)[] = []
  const maxOthers = Math.floor(maxWaiting * (1 - reservedShare))
  let dummy: Promise<string> | undefined

  async function bounded<Result>(
    work: () => Promise<Result>,
    { isPrioritized = false }: Priority = {},
  ): Promise<Result> {
    if (running >= concurrency) {
      const isFull = isPrioritized ? prioritized.length + others.length >= maxWaiting : others.length >= maxOthers
      if (isFull) refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })
      await new Promise<void>((turn) => (isPrioritized ? prioritized : others).push(turn))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      // A queued request takes over the slot directly, so that a new request cannot get ahead of it.
      const [first, second] = ++turns % othersTurn === 0 ? [others, prioritized] : [prioritized, others]
      const next = first.shift() ?? second.shift()
      if (next) next()
      else running--
    }
  }

  return {
    /** Hashes a password. Returns a PHC string: algorithm, parameters, salt and hash. */
    hash: (password: string, priority?: Priority) => bounded(() => hash(password, parameters), priority),
    /**
     * Verifies a password, by the hash of another system too. Without a stored hash it verifies a decoy, one that is given or one of
     * its own, so that the timing reveals nothing.
     */
    async verify(
      password: string,
      stored: string | null | undefined,
      { decoy, ...priority }: Priority & { decoy?: string | undefined } = {},
    ): Promise<boolean> {
      dummy ??= hash('nobody has this password', parameters)
      const target = stored ?? decoy ?? (await dummy)
      const matches = await bounded(() => verifyAny(target, password).catch(() => false), priority)
      return matches && stored !== null && stored !== undefined
    },
    /** Whether the hash is another system's or has weaker parameters than the current ones. The next sign-in then replaces it. */
    isOutdated(stored: string): boolean {
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? []
      const isStrong = Number(memory) >= parameters.memoryCost && Number(time) >= parameters.timeCost
      // Also one that costs many times more: each sign-in would.
      const isCostly = Number(memory) * Number(time) > 4 * parameters.memoryCost * parameters.timeCost
      return !isStrong || isCostly
    },
  }
}

function verifyAny(stored: string, password: string): Promise<boolean> {
  return stored.startsWith('$argon2') ? verify(stored, password) : verifyForeign(password, stored)
}
