import { UserReference } from '../../shared/admin.ts'
import { OrganizationMetadata, SetOrganizationMetadata, SetUserMetadata, UserMetadata } from '../../shared/metadata.ts'
import { OrganizationReference } from '../../shared/organization.ts'
import { administratorProcedure } from './guard.ts'
import { readOrganizationMetadata, readUserMetadata } from './metadata.ts'
import { setOrganizationMetadata, setUserMetadata } from './set-metadata.ts'

/** Metadata of users and organizations, for administrators and their API keys. */
export const metadataProcedures = {
  userMetadata: administratorProcedure
    .meta({
      openTo: ['api_key', 'impersonator'],
      rest: 'GET /admin/get-user-metadata',
      summary: 'The metadata of a user',
    })
    .input(UserReference)
    .output(UserMetadata)
    .query(({ ctx, input: { userId } }) => readUserMetadata(ctx.db, userId)),

  setUserMetadata: administratorProcedure
    .meta({
      openTo: ['api_key', 'impersonator'],
      rest: 'POST /admin/set-user-metadata',
      summary: 'Set the metadata of a user',
    })
    .input(SetUserMetadata)
    .output(UserMetadata)
    .mutation(({ ctx, input }) => setUserMetadata(ctx, input)),

  organizationMetadata: administratorProcedure
    .meta({
      openTo: ['api_key', 'impersonator'],
      rest: 'GET /admin/get-organization-metadata',
      summary: 'The metadata of an organization',
    })
    .input(OrganizationReference)
    .output(OrganizationMetadata)
    .query(({ ctx, input: { organizationId } }) => readOrganizationMetadata(ctx.db, organizationId)),

  setOrganizationMetadata: administratorProcedure
    .meta({
      openTo: ['api_key', 'impersonator'],
      rest: 'POST /admin/set-organization-metadata',
      summary: 'Set the metadata of an organization',
    })
    .input(SetOrganizationMetadata)
    .output(OrganizationMetadata)
    .mutation(({ ctx, input }) => setOrganizationMetadata(ctx, input)),
}
