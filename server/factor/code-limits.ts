import type { RateLimit } from '../foundation/limits.ts'

const yearSeconds = 31_536_000

/**
 * Limits on wrong codes of one user, over all sign-ins:
 * - ten in ten minutes, a 1 in 33,000 chance of guessing a code;
 * - a hundred in a row (NIST SP 800-63B, 5.2.2);
 * - three hundred in a row over all browsers and passwords, a chance of 1 in 1,100.
 *
 * The first two are counted separately for each of the user's known browsers (`deviceId`), and restart with a new
 * password. The third is not, because anyone with access to the mailbox can change the password, and the known
 * browsers, at will. Recovery codes are too long to be guessed, and a code that was already used does not count as a
 * guess.
 */
export function codeLimits(
  { id, passwordVersion }: { id: string; passwordVersion: number },
  deviceId: string,
): RateLimit[] {
  const key = `second-factor:${id}:${passwordVersion}:${deviceId}`
  return [
    { key, max: 10, seconds: 600 },
    { key: `${key}:row`, max: 100, seconds: yearSeconds },
    { key: `second-factor:${id}`, max: 300, seconds: yearSeconds },
  ]
}
