import { hash, verify } from '@node-rs/argon2'
import { refuse } from './refusal.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 22 to 30 ms here (SEC-03). */
const owaspParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Hasher = ReturnType<typeof openHasher>

/** Share of the queue that is kept for known devices, so that a flood of strangers leaves the owners room (SEC-114). */
const reservedShare = 1 / 3

/** Every so many turns somebody unknown goes first, so that known devices cannot hold all others back. */
const othersTurn = 4

/**
 * A check from a device that has signed in as this user before, or a new password by a mailed secret, goes ahead of the
 * others, into the reserved places too.
 */
type Priority = { isPrioritized?: boolean }

type Options = { concurrency: number; maxWaiting?: number; parameters?: typeof owaspParameters }

/**
 * argon2id on the thread pool, `concurrency` at a time and `maxWaiting` in the queue; beyond that 503 (SEC-04). At 25 ms a
 * hash and two at a time the last of 128 waiting is served within two seconds.
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
      // A waiting one takes over the place, so that nobody slips in between.
      const [first, second] = ++turns % othersTurn === 0 ? [others, prioritized] : [prioritized, others]
      const next = first.shift() ?? second.shift()
      if (next) next()
      else running--
    }
  }

  return {
    /** The PHC text of a password: algorithm, parameters, salt and hash. */
    hash: (password: string, priority?: Priority) => bounded(() => hash(password, parameters), priority),
    /** Is it the password of this hash? Without a hash the same work is done for nothing, so that the response time reveals nothing. */
    async verify(password: string, stored: string | null | undefined, priority?: Priority): Promise<boolean> {
      dummy ??= hash('nobody has this password', parameters)
      const target = stored ?? (await dummy)
      const matches = await bounded(() => verify(target, password).catch(() => false), priority)
      return matches && stored !== null && stored !== undefined
    },
    /** Was it made with less than today's parameters? Then the next sign-in makes it anew. */
    isOutdated(stored: string): boolean {
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? []
      return !(Number(memory) >= parameters.memoryCost && Number(time) >= parameters.timeCost)
    },
  }
}
