import type { z } from 'zod'
import { type OrganizationMetadata, StoredMetadata, type UserMetadata } from '../../shared/metadata.ts'
import { Organization } from '../../shared/organization.ts'
import type { Db } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'

/** Reads the metadata of a user. */
export async function readUserMetadata(db: Db, userId: string): Promise<z.output<typeof UserMetadata>> {
  const select = { metadata: true, privateMetadata: true }
  const user = (await db.user.findUnique({ where: { id: userId }, select })) ?? refuse('ADMIN_USER_NOT_FOUND')
  return { metadata: StoredMetadata.parse(user.metadata), privateMetadata: StoredMetadata.parse(user.privateMetadata) }
}

/** Reads the metadata of an organization. */
export async function readOrganizationMetadata(
  db: Db,
  organizationId: string,
): Promise<z.output<typeof OrganizationMetadata>> {
  const found = await db.organization.findUnique({ where: { id: organizationId } })
  const { metadata, privateMetadata } = found ?? refuse('ORGANIZATION_NOT_FOUND')
  return {
    metadata: Organization.shape.metadata.parse(metadata),
    privateMetadata: StoredMetadata.parse(privateMetadata),
  }
}
