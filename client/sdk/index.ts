import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCClient,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from './router.ts'

export type { AppRouter } from './router.ts'

/** The typed client of one Foyer installation: `foyer.session.get.query()`, `foyer.organization.list.query()`. */
export type Foyer = TRPCClient<AppRouter>
/** Inputs of the calls, such as `Inputs['team']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>
/** Outputs of the calls, such as `Outputs['organization']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>
/** The signed-in user and the current session. */
export type CurrentSession = NonNullable<Outputs['session']['get']>

export type FoyerOptions = {
  /** The installation's APP_URL, such as `https://id.example.com`. */
  url: string
  /** Sent with every call, for example `{ authorization: 'Bearer foyer_…' }` in a program without a browser. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)
}

const origins = new WeakMap<Foyer, string>()

/**
 * Connects to a Foyer installation. In a browser, calls carry the session cookie: the page's origin must be one of
 * TRUSTED_ORIGINS, and belong to the same site as Foyer. Refused calls reject with a `TRPCClientError`, whose
 * `data.reason` names the refusal. Where several refusals have one `code` in REST, it is the more exact name.
 */
export function createFoyer({ url, headers = {} }: FoyerOptions): Foyer {
  const origin = new URL(url).origin
  const options = {
    url: `${origin}/api/trpc`,
    headers,
    fetch: (
      input: URL | RequestInfo,
      init?: Omit<RequestInit, 'signal'> & { signal?: AbortSignal | null | undefined },
    ) => fetch(input, { ...init, signal: init?.signal ?? null, credentials: 'include' }),
  }
  const foyer: Foyer = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        // A mutation may set cookies, so each gets a response of its own.
        condition: ({ type }) => type === 'query',
        true: httpBatchLink({ ...options, maxItems: 20, maxURLLength: 4_000 }),
        // Any mutation may change the subject of a token: a sign-out, another organization.
        false: [forgetsTokens(() => foyer), httpLink(options)],
      }),
    ],
  })
  origins.set(foyer, origin)
  return foyer
}

/** Discards the tokens once a mutation has been answered. */
function forgetsTokens(foyer: () => Foyer): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next(value) {
            forgetTokens(foyer())
            observer.next(value)
          },
          error: (error) => observer.error(error),
          complete: () => observer.complete(),
        }),
      )
}

function pageOf(foyer: Foyer, path: string, next: string | undefined): string {
  const page = new URL(path, originOf(foyer))
  if (next !== undefined) page.searchParams.set('next', next)
  return page.href
}

/** The origin of this Foyer installation. */
export function originOf(foyer: Foyer): string {
  const origin = origins.get(foyer)
  if (origin === undefined) throw new TypeError('This client was not created by createFoyer.')
  return origin
}

/** The URL of the sign-in page, which returns to `next`. */
export const signInUrl = (foyer: Foyer, next?: string): string => pageOf(foyer, '/sign-in', next)
/** The URL of the sign-up page, which returns to `next`. */
export const signUpUrl = (foyer: Foyer, next?: string): string => pageOf(foyer, '/sign-up', next)
/** The URL of the user's settings, with a link back to `next`. */
export const settingsUrl = (foyer: Foyer, next?: string): string => pageOf(foyer, '/settings', next)
/** The URL of the page that signs out, and then redirects to `next`. */
export const signOutUrl = (foyer: Foyer, next?: string): string => pageOf(foyer, '/sign-out', next)

/** A token, and when it is replaced, in milliseconds. */
type IssuedToken = { token: string; renewAt: number }
const tokens = new WeakMap<Foyer, Map<string, Promise<IssuedToken>>>()
/**
 * A token is replaced this many milliseconds before it expires, so that it does not expire in transit, but not before
 * half of its lifetime.
 */
const marginMs = 30_000

/**
 * A token for your own back end, which verifies it with `verifyToken`. It is fetched again shortly before it expires;
 * `fresh` fetches it immediately, for example after the organization was switched. Rejects with UNAUTHORIZED when no
 * user is signed in.
 */
export async function getToken(
  foyer: Foyer,
  { audience = '', fresh = false }: { audience?: string; fresh?: boolean } = {},
): Promise<string> {
  const ofFoyer = tokens.get(foyer) ?? new Map<string, Promise<IssuedToken>>()
  tokens.set(foyer, ofFoyer)
  const issue = async (): Promise<IssuedToken> => {
    const { token } = await foyer.token.issue.query(audience === '' ? undefined : { audience })
    const lifetime = lifetimeMs(token)
    return { token, renewAt: Date.now() + lifetime - Math.min(marginMs, lifetime / 2) }
  }
  const former = fresh ? undefined : ofFoyer.get(audience)
  // Set before it is awaited, so that concurrent calls share it.
  const current = former ? former.then((known) => (known.renewAt > Date.now() ? known : issue()), issue) : issue()
  ofFoyer.set(audience, current)
  return (await current).token
}

const sessions = new WeakMap<Foyer, string>()

/** Discards the tokens if they belong to another session or organization than the current one. */
export function noteSession(foyer: Foyer, current: CurrentSession | null): void {
  const about = current ? `${current.session.id} ${current.session.activeOrganizationId}` : ''
  if (sessions.has(foyer) && sessions.get(foyer) !== about) forgetTokens(foyer)
  sessions.set(foyer, about)
}

/** Discards the tokens of `getToken`, because their user or organization has changed. */
export function forgetTokens(foyer: Foyer): void {
  tokens.delete(foyer)
}

/** Uses the times in the token itself, so that a wrong clock on this machine does not matter. */
function lifetimeMs(token: string): number {
  const payload = token.split('.')[1] ?? ''
  const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  if (typeof claims !== 'object' || claims === null || !('iat' in claims) || !('exp' in claims)) return 0
  return (Number(claims.exp) - Number(claims.iat)) * 1_000
}

/**
 * The name of a refusal, such as `INVALID_EMAIL_OR_PASSWORD`. Where several have one `code` in REST, it is more exact.
 * Undefined for other errors, such as a lost connection.
 */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: unknown = error.data
  return typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : undefined
}
