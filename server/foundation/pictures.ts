import { refuse } from './refusal.ts'

/** Picture URLs must use https, or http on Foyer's own origin. */
export function refuseForeignPicture(address: string | null | undefined, appOrigin: string): void {
  if (!address || address.toLowerCase().startsWith('https:')) return
  if (new URL(address).origin !== appOrigin) refuse('INVALID_BODY')
}
