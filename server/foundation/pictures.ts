import { refuse } from './refusal.ts'

/** Where the pictures are that were uploaded, below APP_URL. */
export const picturePath = '/api/pictures/'

/**
 * Picture URLs must use https. On Foyer's own origin, where http is accepted too, they must be uploaded pictures: any other URL there
 * would be requested with the cookies of everyone who sees the picture.
 */
export function refuseForeignPicture(address: string | null | undefined, appOrigin: string): void {
  if (!address) return
  const { protocol, origin, pathname } = new URL(address)
  if (origin === appOrigin ? !pathname.startsWith(picturePath) : protocol !== 'https:') refuse('INVALID_BODY')
}
