import { refuse } from './refusal.ts'

/** Where the pictures are that were uploaded, below APP_URL. */
export const picturePath = '/api/pictures/'

/** Picture URLs must use https, or http on Foyer's own origin. */
export function refuseForeignPicture(address: string | null | undefined, appOrigin: string): void {
  if (!address || address.toLowerCase().startsWith('https:')) return
  if (new URL(address).origin !== appOrigin) refuse('INVALID_BODY')
}
