import { sha256 } from '../foundation/crypto.ts'
import type { Limit } from '../foundation/limits.ts'

/**
 * How often one account may be tried (SEC-25): ten times in ten minutes from one address, a hundred times in an hour from
 * all together (NIST SP 800-63B-4 §3.2.2). Each try counts before the password is looked at; the right one forgives what
 * was counted. Windows end by themselves, so nobody is locked out for good. The account is named as it was typed, hashed,
 * so that unknown ones count alike.
 */
export function failureLimits(typed: string, address: string): Limit[] {
  const account = sha256(typed).slice(0, 22)
  return [
    { key: `try:${account}:${address}`, max: 10, seconds: 600 },
    { key: `try:${account}`, max: 100, seconds: 3600 },
  ]
}
