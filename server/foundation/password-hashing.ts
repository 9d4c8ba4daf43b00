import { hash, verify } from '@node-rs/argon2'
import { verifyImported } from './imported-hashes.ts'
import { refuse } from './refusal.ts'

/** OWASP's recommended parameters for argon2id: 19 MiB, two passes, one lane. Takes 22 to 30 ms here (SEC-03). */
const owaspParameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type Hasher = ReturnType<typeof createHasher>

/**
 * Share of the queue reserved for known devices, so that a flood of unknown clients cannot lock users out (SEC-114).
 */
const reservedShare = 1 / 3

/** Every n-th free slot goes to an unprioritized request, so that known devices cannot starve the others. */
const fairnessInterval = 4

/**
 * Requests from a device that has signed in as this user before, and new passwords set with an emailed secret, are
 * served first and may use the reserved places in the queue.
 */
type Priority = { isPrioritized?: boolean }

type Options = { concurrency: number; maxWaiting?: number; parameters?: typeof owaspParameters }

/**
 * Maximum estimated wait for hashes of other systems, in milliseconds, based on the duration of recent ones. A maximum
 * queue length would be no useful limit, because they can cost forty times as much as Foyer's own.
 */
const maxImportedWaitMs = 4_000

type QueueOptions = { concurrency: number; maxWaiting: number; maxWaitMs?: number }

/**
 * Runs work on the thread pool, `concurrency` tasks at a time. Further tasks wait in a queue of at most `maxWaiting`
 * tasks, and of less than `maxWaitMs` of estimated work. If the queue is full, the caller is answered with 503
 * (SEC-04).
 */
function createHashQueue({ concurrency, maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY }: QueueOptions) {
  let running = 0
  let turns = 0
  /** Mean duration of the last few tasks. */
  let meanMs = 0
  const prioritized: (() => void)[] = []
  const others: (() => void)[] = []

  function isFull(isPrioritized: boolean): boolean {
    const ofTime = meanMs === 0 ? maxWaiting : Math.max(1, Math.floor((maxWaitMs * concurrency) / meanMs))
    const places = Math.min(maxWaiting, ofTime)
    const waiting = prioritized.length + others.length
    return isPrioritized ? waiting >= places : others.length >= Math.floor(places * (1 - reservedShare))
  }

  async function run<Result>(work: () => Promise<Result>, { isPrioritized = false }: Priority = {}): Promise<Result> {
    if (running >= concurrency) {
      if (isFull(isPrioritized)) refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 })
      await new Promise<void>((turn) => (isPrioritized ? prioritized : others).push(turn))
    } else {
      running++
    }
    const begun = performance.now()
    try {
      return await work()
    } finally {
      meanMs = meanMs === 0 ? performance.now() - begun : meanMs * 0.8 + (performance.now() - begun) * 0.2
      // A queued request takes over the slot directly, so that a new request cannot get ahead of it.
      const [first, second] = ++turns % fairnessInterval === 0 ? [others, prioritized] : [prioritized, others]
      const next = first.shift() ?? second.shift()
      if (next) next()
      else running--
    }
  }
  const load = () => ({ running, waiting: prioritized.length + others.length })
  return { run, load }
}

/**
 * Runs argon2id on the thread pool: `concurrency` hashes at a time, `maxWaiting` in the queue. At 25 ms per hash and
 * two at a time, the last of 128 queued requests is served within two seconds. Hashes of other systems have a queue of
 * their own, so that guesses at imported users, or at unknown email addresses with the cost of an imported hash, do not
 * delay everyone else.
 */
export function createHasher({ concurrency, maxWaiting = 128, parameters = owaspParameters }: Options) {
  const { run, load } = createHashQueue({ concurrency, maxWaiting })
  const { run: runImported } = createHashQueue({ concurrency: 1, maxWaiting, maxWaitMs: maxImportedWaitMs })
  const { memoryCost, timeCost, parallelism } = parameters
  const own = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
  let dummy: Promise<string> | undefined

  return {
    /** The number of hashes being computed, and of those waiting. */
    load,
    /** Hashes a password. Returns a PHC string: algorithm, parameters, salt and hash. */
    hash: (password: string, priority?: Priority) => run(() => hash(password, parameters), priority),
    /**
     * Verifies a password, also against a hash of another system. Without a stored hash it verifies a decoy, either
     * `decoy` or its own, so that the timing reveals nothing.
     */
    async verify(
      password: string,
      stored: string | null | undefined,
      { decoy, ...priority }: Priority & { decoy?: string | undefined } = {},
    ): Promise<boolean> {
      dummy ??= hash('nobody has this password', parameters)
      const target = stored ?? decoy ?? (await dummy)
      const runQueued = target.startsWith(own) ? run : runImported
      const matches = await runQueued(() => verifyAny(target, password).catch(() => false), priority)
      return matches && stored !== null && stored !== undefined
    },
    /** Whether the hash has exactly the parameters of new hashes. */
    hasCurrentParameters: (stored: string) => stored.startsWith(own),
    /**
     * Whether the hash is another system's or has weaker parameters than the current ones. The next sign-in then
     * replaces it.
     */
    isOutdated(stored: string): boolean {
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored) ?? []
      const meetsCurrentCost = Number(memory) >= parameters.memoryCost && Number(time) >= parameters.timeCost
      // A hash that costs many times more is replaced too, because each sign-in would pay for it.
      const isCostly = Number(memory) * Number(time) > 4 * parameters.memoryCost * parameters.timeCost
      return !meetsCurrentCost || isCostly
    },
  }
}

function verifyAny(stored: string, password: string): Promise<boolean> {
  return stored.startsWith('$argon2') ? verify(stored, password) : verifyImported(password, stored)
}
