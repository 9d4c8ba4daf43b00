import { hash, verify } from '@node-rs/argon2'
import { refuse } from './refusal.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 22 to 30 ms here (SEC-03). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Hasher = ReturnType<typeof openHasher>

/**
 * argon2id on the thread pool, `atOnce` at a time and `waiting` in the queue; beyond that 503 (SEC-04). At 25 ms a hash and
 * two at a time the last of 128 waiting is served within two seconds.
 */
export function openHasher({ atOnce, waiting = 128 }: { atOnce: number; waiting?: number }) {
  let running = 0
  const queue: (() => void)[] = []
  let dummy: Promise<string> | undefined

  async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnce) {
      if (queue.length >= waiting) refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })
      await new Promise<void>((turn) => queue.push(turn))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      // A waiting one takes over the place, so that nobody slips in between.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }

  return {
    /** The PHC text of a password: algorithm, parameters, salt and hash. */
    hash: (password: string) => bounded(() => hash(password, parameters)),
    /** Is it the password of this hash? Without a hash the same work is done for nothing, so that time tells nothing. */
    async verify(password: string, stored: string | null | undefined): Promise<boolean> {
      dummy ??= hash('nobody has this password', parameters)
      const target = stored ?? (await dummy)
      const matches = await bounded(() => verify(target, password).catch(() => false))
      return matches && stored !== null && stored !== undefined
    },
    /** Was it made with less than today's parameters? Then the next sign-in makes it anew. */
    isOutdated(stored: string): boolean {
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? []
      return !(Number(memory) >= parameters.memoryCost && Number(time) >= parameters.timeCost)
    },
  }
}
