import { z } from 'zod'
import { EventPage, ListOrganizationEvents } from '../../shared/event.ts'
import {
  CheckSlug,
  CreatedOrganization,
  CreateOrganization,
  FullOrganization,
  GetFullOrganization,
  SlugInput,
  HasPermission,
  ListMine,
  MemberWithUser,
  MyOrganization,
  Organization,
  OrganizationReference,
  OrganizationOverview,
  SetActiveOrganization,
  UpdateOrganization,
} from '../../shared/organization.ts'
import { grantsAll } from '../../shared/permissions.ts'
import { Page, Status, PermissionResponse } from '../../shared/schema.ts'
import { listEvents } from '../event/events.ts'
import { callerHasSecondFactor } from '../factor/assurance.ts'
import { refuse } from '../foundation/refusal.ts'
import { enabledBy } from '../procedure/features.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { jsonText } from '../procedure/json-text.ts'
import { allowReplica } from '../procedure/replica.ts'
import { anyCaller, programs, router } from '../procedure/trpc.ts'
import { createOrganization } from './create-organization.ts'
import { deleteOrganization } from './delete-organization.ts'
import { requirePermission, requireMembership } from './guard.ts'
import { memberProcedures } from './member-procedures.ts'
import { findMemberWithUser } from './members.ts'
import { findOverview, findOrganizationBySlug, searchOrganizations, listOrganizationsJson } from './organizations.ts'
import { policyProcedures } from './policy-procedures.ts'
import { readFullOrganization } from './read-full-organization.ts'
import { organizationRefusals } from './refusals.ts'
import { findOwnMember, requireSecondFactorOfMember } from './require-member.ts'
import { switchOrganization } from './switch-organization.ts'
import { updateOrganization } from './update-organization.ts'

/** Maximum number of organizations in the switcher; others are found by searching. */
const maxInSwitcher = 50

export const organizationRouter = router({
  /**
   * Creates an organization with its first team. The caller becomes its owner; a userId in the body is ignored
   * (SEC-41).
   */
  create: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /organization/create',
      summary: 'Create an organization; the caller becomes its owner',
    })
    .concat(enabledBy('mayCreateOrganizations', 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION'))
    .input(CreateOrganization)
    .output(CreatedOrganization)
    .mutation(({ ctx, input }) => createOrganization(ctx, input)),

  /** Checks whether a slug is available. The creation itself makes the final decision. */
  checkSlug: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/check-slug', summary: 'Whether a slug is available' })
    .input(CheckSlug)
    .output(Status)
    .mutation(async ({ ctx, input: { slug } }) => {
      if (await findOrganizationBySlug(ctx.db, slug)) refuse('SLUG_IS_TAKEN')
      return { status: true }
    }),

  update: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'POST /organization/update',
      summary: 'Change the name, slug, logo or metadata of an organization',
      unauthorized: 'UPDATE_USER_NOT_FOUND',
    })
    .input(UpdateOrganization)
    .concat(requirePermission('organization', 'update', organizationRefusals.update))
    .output(Organization)
    .mutation(({ ctx, input }) => updateOrganization(ctx, input)),

  delete: protectedProcedure
    .meta({ openTo: programs, rest: 'POST /organization/delete', summary: 'Delete an organization with all its data' })
    .input(OrganizationReference)
    .concat(requirePermission('organization', 'delete', organizationRefusals.delete))
    .output(Organization)
    .mutation(({ ctx, input }) => deleteOrganization(ctx, input)),

  list: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/list',
      summary: 'List the caller’s organizations',
      jsonOutput: z.array(Organization),
    })
    .input(Page)
    .use(allowReplica)
    .query(async ({ ctx, input }) => {
      const asked = { ...input, userId: ctx.user.id, hasSecondFactor: callerHasSecondFactor(ctx), now: ctx.now }
      return jsonText<z.output<typeof Organization>[]>(await listOrganizationsJson(ctx.pool, asked))
    }),

  /** Searches the caller's organizations for the switcher: with the caller's role, sorted by name. */
  mine: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(ListMine)
    .output(z.array(MyOrganization))
    .use(allowReplica)
    .query(({ ctx, input: { search = '' } }) =>
      searchOrganizations(ctx.db, { userId: ctx.user.id, search: search.trim(), limit: maxInSwitcher }),
    ),

  /** Returns an organization for its screens, by the slug in their URL. */
  get: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(z.object({ slug: SlugInput }))
    .output(OrganizationOverview)
    .query(async ({ ctx, input: { slug } }) => {
      const found = await findOverview(ctx.pool, { slug, userId: ctx.user.id, now: ctx.now })
      const overview = found ?? refuse('NOT_A_MEMBER_FORBIDDEN')
      await requireSecondFactorOfMember(ctx, overview)
      return { ...overview, membershipLimit: overview.membershipLimit ?? ctx.config.membershipLimit }
    }),

  /** Returns null if no organization is specified; an unknown one gets the same error as one the caller is not in. */
  getFull: protectedProcedure
    .meta({
      openTo: anyCaller,
      organizationScope: true,
      rest: 'GET /organization/get-full-organization',
      summary: 'One organization with its members, teams and invitations',
      jsonOutput: FullOrganization.nullable(),
    })
    .input(GetFullOrganization)
    .query(({ ctx, input }) => readFullOrganization(ctx, input)),

  /** Sets the active organization of the session: null clears it; without any input, returns the current one. */
  setActive: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'POST /organization/set-active',
      summary: 'Set, clear or read the active organization of the session',
    })
    .input(SetActiveOrganization)
    .output(FullOrganization.nullable())
    .mutation(({ ctx, input }) => switchOrganization(ctx, input)),

  hasPermission: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'POST /organization/has-permission',
      summary: 'Whether the caller’s role grants permissions in an organization',
    })
    .input(HasPermission)
    .concat(requireMembership({ none: 'NO_ACTIVE_ORGANIZATION', notMember: 'NOT_A_MEMBER_UNAUTHORIZED' }))
    .output(PermissionResponse)
    .mutation(({ ctx, input }) => ({ error: null, success: grantsAll(ctx.member.role, input.request) })),

  getActiveMember: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/get-active-member',
      summary: 'The caller’s membership of the active organization, or null',
    })
    .output(MemberWithUser.nullable())
    .query(async ({ ctx }) => {
      const organizationId = ctx.session.activeOrganizationId
      const found = organizationId === null ? undefined : await findOwnMember(ctx, organizationId)
      return found ? findMemberWithUser(ctx.db, found) : null
    }),

  /** Returns the audit log, newest first; for owners and administrators. */
  activity: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/list-activity',
      summary: 'List the events of an organization, newest first',
    })
    .input(ListOrganizationEvents)
    .concat(requirePermission('organization', 'update', organizationRefusals.activity))
    .output(EventPage)
    .use(allowReplica)
    .query(({ ctx, input }) => listEvents(ctx.db, { organizationId: ctx.member.organizationId }, input)),

  ...memberProcedures,
  ...policyProcedures,
})
