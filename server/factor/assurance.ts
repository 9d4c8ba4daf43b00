import type { Tx } from '../foundation/database.ts'
import { hasFactor, isStrong } from './two-factors.ts'

/** How a caller was authenticated: by a session with or without a second factor, or by a key. */
type Caller = {
  secondFactor?: string | null | undefined
  authenticated?: { kind: 'access_token' } | { kind: 'api_key'; isStrong: boolean } | undefined
}

/** Whether the caller has signed in with a second factor, or uses an API key that was created in such a session. */
export function isStrongCaller({ secondFactor, authenticated }: Caller): boolean {
  return authenticated?.kind === 'api_key' ? authenticated.isStrong : isStrong({ secondFactor })
}

/** Like `isStrongCaller`, where a second factor is required. The user of an API key must still have one. */
export async function meetsFactor(
  tx: Tx,
  caller: Caller & { user: { id: string; twoFactorEnabled: boolean } },
): Promise<boolean> {
  if (!isStrongCaller(caller)) return false
  return caller.authenticated?.kind !== 'api_key' || hasFactor(tx, caller.user)
}
