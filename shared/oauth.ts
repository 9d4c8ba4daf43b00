import { z } from 'zod'
import { Moment } from './account.ts'

/** Scopes that an application can ask for (OpenID Connect Core 1.0, 5.4 and 11; `organization` is Foyer's own). */
export const grantScopes = ['openid', 'profile', 'email', 'organization', 'offline_access'] as const
export type GrantScope = (typeof grantScopes)[number]

/** An application as shown to the user who decides about it. */
const App = z.object({ name: z.string(), logo: z.string().nullable(), isFirstParty: z.boolean() })

export const InteractionId = z.object({ uid: z.string().min(1).max(64) })
/** What an application asks for. */
export const ConsentRequest = z.object({ app: App, scopes: z.array(z.enum(grantScopes)), email: z.string() })
export const DecideConsent = InteractionId.extend({ isAllowed: z.boolean() })
/** Where the browser goes on. */
export const Continued = z.object({ url: z.string() })

/** The code that a device shows. Case, spaces and dashes do not matter. */
export const UserCode = z.object({ userCode: z.string().min(1).max(64) })
/** `email` is who was shown as signed in: another person has to be asked anew. */
export const DecideDevice = UserCode.extend({ isAllowed: z.boolean(), email: z.string().max(254).optional() })

export const ConnectedApp = App.extend({
  clientId: z.string(),
  scopes: z.array(z.string()),
  createdAt: Moment,
  lastUsedAt: Moment,
})
export const ClientNamed = z.object({ clientId: z.string().min(1).max(64) })
