import { generateSync } from 'otplib'
import type { TestApp } from './test-app.ts'
import { password, type TestUser, createUser } from './test-users.ts'

/** The secret that an authenticator app reads from the URI of a QR code. */
export function secretOf(totpURI: string): string {
  return new URL(totpURI).searchParams.get('secret') ?? ''
}

/** The code that an app shows, computed by another implementation than the server's. `steps` of 30 seconds from now. */
export function codeOf(testApp: TestApp, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(testApp.app.clock().getTime() / 1000) + steps * 30 })
}

export type TwoFactorUser = TestUser & { secret: string; codes: string[]; next: () => string }

/** A signed-in user with an authenticator app. `next` waits for the next time step, so that no code is used twice. */
export async function createTwoFactorUser(testApp: TestApp, person?: TestUser): Promise<TwoFactorUser> {
  const owner = person ?? (await createUser(testApp))
  const { body } = await owner.browser.post('/two-factor/enable', { password })
  const secret = secretOf(body.totpURI)
  const next = () => {
    testApp.advanceClock(30)
    return codeOf(testApp, secret)
  }
  const { status } = await owner.browser.post('/two-factor/verify-totp', { code: next() })
  if (status !== 200) throw new Error('The first code was refused')
  return { ...owner, secret, codes: body.backupCodes, next }
}
