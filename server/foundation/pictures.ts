import { refuse } from './refusal.ts'

/** Path of uploaded pictures, below APP_URL. */
export const picturePath = '/api/pictures/'

/**
 * Picture URLs must use https. On Foyer's own origin, where http is accepted too, they must be uploaded pictures: the
 * browser of everyone who sees the picture would request any other URL there with its cookies.
 */
export function checkPictureUrl(address: string | null | undefined, appOrigin: string): void {
  if (!address) return
  const { protocol, origin, pathname } = new URL(address)
  if (origin === appOrigin ? !pathname.startsWith(picturePath) : protocol !== 'https:') refuse('INVALID_BODY')
}
