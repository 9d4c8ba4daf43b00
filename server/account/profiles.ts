import { Name, PictureUrl, isEmail, normalizeEmail } from '../../shared/account.ts'
import type { Profile } from '../foundation/social/provider.ts'

/** The address in its one form; one that is none counts as missing. */
export function addressOf({ email }: Profile): string | undefined {
  const normal = normalizeEmail(email ?? '')
  return isEmail(normal) ? normal : undefined
}

/** The provider's name as one of ours, else what stands before the @. */
export function nameOf({ name }: Profile, email: string): string {
  const clean = (name ?? '').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
  return Name.safeParse([...clean].slice(0, 100).join('')).data ?? email.split('@')[0] ?? email
}

export function pictureOf({ image }: Profile): string | undefined {
  const { data } = PictureUrl.safeParse(image)
  return data?.startsWith('https:') ? data : undefined
}
