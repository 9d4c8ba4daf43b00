import { z } from 'zod'
import { type Action, isInTable, type Resource } from './permissions.ts'
import { Id, Timestamp } from './schema.ts'

/** Days that a key can be valid for, as in the API key plugin of better-auth 1.2.7. */
export const keyLifetimeDays = { min: 1, max: 365 } as const

/** In better-auth, only server code could set these. Here they are always refused. */
const serverOnly = z.unknown().optional()
const serverOnlyFields = {
  refillAmount: serverOnly,
  refillInterval: serverOnly,
  rateLimitMax: serverOnly,
  rateLimitTimeWindow: serverOnly,
  rateLimitEnabled: serverOnly,
  remaining: serverOnly,
}
export const serverOnlyNames = Object.keys(serverOnlyFields)

/**
 * The permissions that a key of an organization can be limited to, in addition to reading: those needed by calls that
 * accept keys, except for the deletion of the organization, which needs a key without limits.
 */
export const keyPermissions = [
  'organization.update',
  'member.update',
  'member.delete',
  'invitation.create',
  'invitation.cancel',
  'team.create',
  'team.update',
  'team.delete',
] as const satisfies readonly { [R in Resource]: `${R}.${Action<R>}` }[Resource][]
export type KeyPermission = (typeof keyPermissions)[number]

/** Permissions of a key by resource, as `{ member: ['update'] }`. */
export function permissionsByResource(chosen: readonly KeyPermission[]): Record<string, string[]> {
  const byResource: Record<string, string[]> = {}
  for (const name of chosen) {
    const [resource = '', action = ''] = name.split('.')
    byResource[resource] = [...(byResource[resource] ?? []), action]
  }
  return byResource
}

/** Resources and actions of the permission table, as `{ member: ['create'] }`. */
const Permissions = z.record(z.string().max(64), z.array(z.string().max(64)).max(32))

export const CreateApiKey = z
  .object({
    name: z.string().max(256).optional(),
    /** Seconds. Null means that the key does not expire. */
    expiresIn: z.number().min(1).nullable().default(null),
    prefix: z
      .string()
      .regex(/^[\w-]*$/)
      .max(256)
      .optional(),
    metadata: z.unknown().optional(),
    /** Limits the key to this organization of the caller. */
    organizationId: Id.optional(),
    /** Limits the key to these permissions. Only with an organization. */
    permissions: Permissions.optional(),
    ...serverOnlyFields,
  })
  .refine(
    ({ organizationId, permissions = {} }) =>
      // Without an organization they are refused with a message of their own.
      organizationId === undefined || Object.entries(permissions).every(([name, actions]) => isInTable(name, actions)),
  )

export const ApiKeyReference = z.object({ keyId: Id })
export const GetApiKey = z.object({ id: Id })
export const ListApiKeys = z.object({ organizationId: Id.optional() }).default({})

export const UpdateApiKey = ApiKeyReference.extend({
  name: z.string().max(256).optional(),
  enabled: z.boolean().optional(),
  expiresIn: z.number().min(1).nullable().optional(),
  metadata: z.unknown().optional(),
  permissions: z.unknown().optional(),
  ...serverOnlyFields,
})

/** A key as its owner sees it. Fields of better-auth that Foyer does not have are null. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters, to recognize the key by. */
  start: z.string(),
  prefix: z.string().nullable(),
  userId: z.string(),
  organizationId: z.string().nullable(),
  enabled: z.boolean(),
  expiresAt: Timestamp.nullable(),
  lastRequest: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  metadata: z.unknown(),
  permissions: Permissions.nullable(),
  rateLimitEnabled: z.boolean(),
  rateLimitMax: z.number(),
  /** Milliseconds. */
  rateLimitTimeWindow: z.number(),
  /** Calls with the key, written at most once a minute. */
  requestCount: z.number(),
  remaining: z.null(),
  refillAmount: z.null(),
  refillInterval: z.null(),
  lastRefillAt: z.null(),
})
export type ApiKey = z.output<typeof ApiKey>

/** A new key. It is shown only here. */
export const CreatedApiKey = ApiKey.extend({ key: z.string() })
