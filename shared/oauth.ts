import { z } from 'zod'
import { Id, Timestamp } from './schema.ts'

/** Scopes that an application can request (OpenID Connect Core 1.0, 5.4 and 11; `organization` is Foyer's own). */
export const grantScopes = ['openid', 'profile', 'email', 'organization', 'offline_access'] as const

/** An application as shown to the user who decides about it. */
const App = z.object({ name: z.string(), logo: z.string().nullable(), isFirstParty: z.boolean() })

export const InteractionId = z.object({ uid: Id })
/** The content of an application's request. */
export const ConsentRequest = z.object({
  app: App,
  scopes: z.array(z.enum(grantScopes)),
  /** APIs that it wants to call on behalf of the user. */
  resources: z.array(z.string()),
  /** Name of the organization that it requests. Null means the active one. */
  organization: z.string().nullable(),
  email: z.string(),
})
export type ConsentRequest = z.output<typeof ConsentRequest>
export const DecideConsent = InteractionId.extend({ isAllowed: z.boolean() })
/** The URL at which the browser continues. */
export const Continued = z.object({ url: z.string() })

/** The code that a device shows. Case, spaces and dashes do not matter. */
export const UserCode = z.object({ userCode: Id })
/** `email` is the user that was shown as signed in: if the user has changed, consent is requested again. */
export const DecideDevice = UserCode.extend({ isAllowed: z.boolean(), email: z.string().max(254).optional() })

export const ConnectedApp = App.extend({
  clientId: z.string(),
  scopes: z.array(z.string()),
  /** APIs that it may call on behalf of the user. */
  resources: z.array(z.string()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
})
export const ClientReference = z.object({ clientId: Id })

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** Grant types that a client can have (RFC 6749, RFC 8628). */
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant] as const

const ClientName = z.string().trim().min(1).max(100)
const Uri = z.string().trim().min(1).max(2048)
const Uris = z.array(Uri).max(20)

/**
 * A new client, as administrators create it. Its users are asked for consent, because the creator of a first-party
 * client (`npm run client`) could act as all of them. Without grant types, it gets the code flow and refresh tokens.
 */
export const CreateClient = z.object({
  name: ClientName,
  /** URL of a picture, shown where users decide about the application. */
  logo: Uri.nullable().default(null),
  redirectUris: Uris.default([]),
  postLogoutRedirectUris: Uris.default([]),
  backchannelLogoutUri: Uri.nullable().default(null),
  /** A client without a secret: a program on its users' devices. */
  isPublic: z.boolean().default(false),
  grantTypes: z.array(z.enum(grantTypes)).min(1).default(['authorization_code', 'refresh_token']),
})

/**
 * Changes of a client. Fields that are missing stay as they are; so do its grants, and whether it has a secret. If a
 * redirect URI is added, users are asked for consent once more.
 */
export const UpdateClient = ClientReference.extend({
  name: ClientName.optional(),
  logo: Uri.nullable().optional(),
  redirectUris: Uris.optional(),
  postLogoutRedirectUris: Uris.optional(),
  backchannelLogoutUri: Uri.nullable().optional(),
})

export const Client = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.string().nullable(),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  backchannelLogoutUri: z.string().nullable(),
  grantTypes: z.array(z.string()),
  isFirstParty: z.boolean(),
  isPublic: z.boolean(),
  createdAt: Timestamp,
})
/** The secret is returned only here. Null for public clients. */
export const CreatedClient = Client.extend({ secret: z.string().nullable() })
export const NewSecret = z.object({ secret: z.string() })
