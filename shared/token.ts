import { z } from 'zod'

/** The audience is one of APP_URL and TOKEN_AUDIENCES, checked by the call. Without one it is APP_URL. */
export const IssueToken = z.object({ audience: z.unknown().meta({ type: 'string' }).optional() }).default({})

/** A JWT (RFC 7519) for back ends, signed with a key of the key set. */
export const IssuedToken = z.object({ token: z.string() })
