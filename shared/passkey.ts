import { z } from 'zod'
import { ShortUser } from './account.ts'
import { Id, Timestamp } from './schema.ts'
import { Session } from './session.ts'

// Bodies and responses of the passkey plugin of better-auth 1.2.7. Options and responses as in WebAuthn Level 3, 5.8.

export const GenerateRegisterOptions = z
  .object({ authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional() })
  .default({})

/** Passkeys that the browser may use, or may not create again. */
const Descriptors = z.array(
  z.object({ id: z.string(), type: z.string(), transports: z.exactOptional(z.array(z.string())) }),
)
const Requirement = z.enum(['discouraged', 'preferred', 'required'])

/** Accepted by `navigator.credentials.create`, in the standard's JSON form. */
export const CreationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.object({ id: z.exactOptional(z.string()), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.exactOptional(z.number()),
  excludeCredentials: z.exactOptional(Descriptors),
  authenticatorSelection: z.exactOptional(
    z.object({
      authenticatorAttachment: z.exactOptional(z.enum(['platform', 'cross-platform'])),
      requireResidentKey: z.exactOptional(z.boolean()),
      residentKey: z.exactOptional(Requirement),
      userVerification: z.exactOptional(Requirement),
    }),
  ),
  attestation: z.exactOptional(z.enum(['none', 'indirect', 'direct', 'enterprise'])),
})
/** Accepted by `navigator.credentials.get`. */
export const RequestOptions = z.looseObject({
  challenge: z.string(),
  rpId: z.exactOptional(z.string()),
  timeout: z.exactOptional(z.number()),
  allowCredentials: z.exactOptional(Descriptors),
  userVerification: z.exactOptional(Requirement),
})

const Base64Url = z.string().max(65_536)
const Credential = { id: Base64Url, rawId: Base64Url, type: z.literal('public-key') }

export const VerifyRegistration = z.object({
  response: z.looseObject({
    ...Credential,
    response: z.looseObject({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: z.array(z.string().max(32)).max(16).optional(),
    }),
  }),
  name: z.string().trim().max(64).optional(),
})
export const VerifyAuthentication = z.object({
  response: z.looseObject({
    ...Credential,
    response: z.looseObject({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Base64Url.nullish(),
    }),
  }),
  /** The user who confirms a call. The passkey of another one is refused. */
  userId: Id.optional(),
})

export const Passkey = z.object({
  id: z.string(),
  name: z.string().nullable(),
  userId: z.string(),
  credentialID: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  /** `multiDevice` if it can be synchronized between devices. */
  deviceType: z.string(),
  backedUp: z.boolean(),
  transports: z.string().nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})
export const PasskeyReference = z.object({ id: z.string().min(1).max(64) })
export const UpdatePasskey = PasskeyReference.extend({ name: z.string().trim().min(1).max(64) })
export const PasskeyUpdated = z.object({ passkey: Passkey })
export const SignedInByPasskey = z.object({ session: Session, user: ShortUser })
