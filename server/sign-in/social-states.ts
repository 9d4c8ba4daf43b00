import { generateCodeVerifier } from 'arctic'
import { z } from 'zod'
import { providerIds } from '../../shared/provider.ts'
import type { Cookies } from '../foundation/cookies.ts'
import { newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'
import { identifierOf, storeVerification, consumeVerification } from '../foundation/verifications.ts'

/**
 * The data needed when a user returns from a provider. Stored under the hash of the state, for ten minutes and a single
 * use; the PKCE verifier and the nonce are stored only here (SEC-71).
 */
const SocialState = z.object({
  provider: z.enum(providerIds),
  callbackURL: z.string().optional(),
  errorURL: z.string().optional(),
  newUserURL: z.string().optional(),
  verifier: z.string(),
  nonce: z.string(),
  scopes: z.array(z.string()),
  requestSignUp: z.boolean(),
  /** The signed-in user to link the identity to. */
  linkTo: z.string().optional(),
  /** The signed-in user who re-authenticates with an already linked identity. */
  reauthenticate: z.string().optional(),
})
export type SocialState = z.output<typeof SocialState>

type CookieContext = { cookies: Cookies; now: Date; config: { socialStateLifetimeSeconds: number } }

/** One cookie per state, so that two tabs do not conflict; above `maxCookies` the oldest are cleared. */
const cookieName = (state: string) => `foyer.state.${sha256(state).slice(0, 11)}`
const maxCookies = 5

/** Stores the state and binds it to this browser (SEC-72). */
export async function createState(
  db: Db,
  { cookies, now, config }: CookieContext,
  input: Omit<SocialState, 'verifier' | 'nonce'>,
): Promise<SocialState & { state: string }> {
  const state = newSecret()
  const stored = { ...input, verifier: generateCodeVerifier(), nonce: newSecret() }
  const seconds = config.socialStateLifetimeSeconds
  await storeVerification(db, {
    identifier: identifierOf('social-state', state),
    value: JSON.stringify(stored),
    userId: input.linkTo ?? input.reauthenticate ?? null,
    expiresAt: secondsAfter(now, seconds),
    now,
  })
  for (const name of cookies.names('foyer.state.').slice(0, -maxCookies + 1)) cookies.clear(name)
  cookies.setSigned(cookieName(state), sha256(state), seconds)
  return { ...stored, state }
}

/**
 * Consumes a state. Undefined if it was created in another browser (where it remains valid), or is unknown, used or
 * expired.
 */
export async function consumeState(
  db: Db,
  { cookies, now }: CookieContext,
  state: string,
): Promise<SocialState | undefined> {
  if (cookies.getSigned(cookieName(state)) !== sha256(state)) return undefined
  cookies.clear(cookieName(state))
  const taken = await consumeVerification(db, identifierOf('social-state', state), now)
  return taken && SocialState.parse(JSON.parse(taken.value))
}
