import type { z } from 'zod'
import type { Prisma } from '../../prisma/client/client.ts'
import type { OrganizationMetadata, UserMetadata } from '../../shared/metadata.ts'
import { requireAdministratorUntilCommit } from '../account/administrators.ts'
import { setMetadata } from '../account/users.ts'
import { record } from '../event/record.ts'
import { changedFields } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { statementsOf, transaction } from '../foundation/transactions.ts'
import { lockOrganization, patchOrganization } from '../organization/organizations.ts'
import type { CallerContext } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { readOrganizationMetadata, readUserMetadata } from './metadata.ts'

type PartialFields<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined }

/** Replaces the public or the private metadata of a user, or both, as a whole. */
export async function setUserMetadata(
  ctx: CallerContext,
  { userId, ...changes }: { userId: string } & PartialFields<z.output<typeof UserMetadata>>,
): Promise<z.output<typeof UserMetadata>> {
  return transaction(ctx, async (tx) => {
    await requireAdministratorUntilCommit(statementsOf(tx), ctx.user.id)
    if (!(await lockUser(tx, userId))) refuse('ADMIN_USER_NOT_FOUND')
    const former = await readUserMetadata(tx, userId)
    if (isEmpty(changes)) return former
    await setMetadata(tx, userId, { ...jsonOf(changes), now: ctx.now })
    const current = await readUserMetadata(tx, userId)
    const data = { fields: changedFields(metadataFields, former, current) }
    await record(tx, ctx, { type: 'user.updated', actorId: ctx.user.id, subjectId: userId, data })
    return current
  })
}

/** Replaces the public or the private metadata of an organization, or both, as a whole. */
export async function setOrganizationMetadata(
  ctx: CallerContext,
  {
    organizationId,
    metadata,
    privateMetadata,
  }: { organizationId: string } & PartialFields<z.output<typeof OrganizationMetadata>>,
): Promise<z.output<typeof OrganizationMetadata>> {
  return transaction(ctx, async (tx) => {
    await requireAdministratorUntilCommit(statementsOf(tx), ctx.user.id)
    if (!(await lockOrganization(tx, organizationId))) refuse('ORGANIZATION_NOT_FOUND')
    const former = await readOrganizationMetadata(tx, organizationId)
    if (isEmpty({ metadata, privateMetadata })) return former
    await patchOrganization(tx, organizationId, { metadata, ...jsonOf({ privateMetadata }) })
    const current = await readOrganizationMetadata(tx, organizationId)
    const data = { fields: changedFields(metadataFields, former, current) }
    await record(tx, ctx, { type: 'organization.updated', actorId: ctx.user.id, subjectId: null, organizationId, data })
    return current
  })
}

const metadataFields = ['metadata', 'privateMetadata'] as const

const isEmpty = (changes: object) => Object.values(changes).every((value) => value === undefined)

function jsonOf(changes: Record<string, Record<string, unknown> | undefined>) {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value as Prisma.InputJsonObject]],
    ),
  )
}
