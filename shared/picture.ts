import { z } from 'zod'

/** The response to an upload: the URL to set as a profile picture or logo. */
export const UploadedPicture = z.object({ url: z.string() })
