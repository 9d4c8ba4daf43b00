import { isEmail, normalizeEmail, localPart } from '../../shared/identity.ts'
import { Name, PictureUrl } from '../../shared/schema.ts'
import type { Profile } from '../foundation/social/provider.ts'

/** Returns the normalized email address; an invalid one is treated as missing. */
export function emailFromProfile({ email }: Profile): string | undefined {
  const normal = normalizeEmail(email ?? '')
  return isEmail(normal) ? normal : undefined
}

/** Returns the provider's name as a valid display name, or the part of the email address before the @. */
export function nameOf({ name }: Profile, email: string): string {
  const clean = (name ?? '').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
  return Name.safeParse([...clean].slice(0, 100).join('')).data ?? localPart(email)
}

export function pictureOf({ image }: Profile): string | undefined {
  const { data } = PictureUrl.safeParse(image)
  return data?.startsWith('https:') ? data : undefined
}
