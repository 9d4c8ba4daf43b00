import { z } from 'zod'
import { hasMetadataSize, Metadata } from './organization.ts'
import { Id } from './schema.ts'

/** Maximum nesting. */
const maxDepth = 16

/**
 * Metadata: a JSON object of at most 16 kB. Keys with a special meaning in JavaScript are refused (SEC-43).
 */
export const MetadataInput = z
  .custom<Record<string, unknown>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      // The depth is checked first, because serializing a value that is nested too deep would fail.
      isShallow(value) &&
      hasMetadataSize(value),
  )
  .meta({ type: 'object', additionalProperties: true })

/** Metadata as stored. Its size is limited where it is set: the limit may have been another one before. */
export const StoredMetadata = z.record(z.string(), z.unknown())

/** Checks nesting and keys level by level, without recursion. */
function isShallow(value: object): boolean {
  let level: object[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return false
    const isReserved = (key: string) => /^(?:__proto__|constructor|prototype)$/.test(key)
    if (level.some((one) => Object.keys(one).some(isReserved))) return false
    level = level.flatMap((one) => Object.values(one).filter((child) => typeof child === 'object' && child !== null))
  }
  return true
}

/**
 * The metadata of a user. `metadata` is in the user's session and tokens; `privateMetadata` is visible only to
 * administrators and their API keys.
 */
export const UserMetadata = z.object({ metadata: StoredMetadata, privateMetadata: StoredMetadata })

/** The metadata of an organization. Its public metadata has string values, or is null. */
export const OrganizationMetadata = z.object({
  metadata: z.record(z.string(), z.string()).nullable(),
  privateMetadata: StoredMetadata,
})

/** Each given field replaces the stored one as a whole. */
export const SetUserMetadata = z.object({
  userId: Id,
  metadata: MetadataInput.optional(),
  privateMetadata: MetadataInput.optional(),
})
export const SetOrganizationMetadata = z.object({
  organizationId: Id,
  metadata: Metadata.nullish(),
  privateMetadata: MetadataInput.optional(),
})
