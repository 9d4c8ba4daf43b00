import { z } from 'zod'
import { Page, Status } from '../../shared/account.ts'
import { EventPage, ListOrganizationEvents } from '../../shared/event.ts'
import {
  CheckSlug,
  CreateOrganization,
  CreatedOrganization,
  FullOrganization,
  GetFullOrganization,
  GivenSlug,
  HasPermission,
  ListMine,
  MemberWithUser,
  MyOrganization,
  Organization,
  OrganizationNamed,
  OrganizationOverview,
  PermissionAnswer,
  SetActiveOrganization,
  UpdateOrganization,
} from '../../shared/organization.ts'
import { grantsAll } from '../../shared/permissions.ts'
import { listEvents } from '../event/events.ts'
import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { jsonText } from '../procedure/json-text.ts'
import { router } from '../procedure/trpc.ts'
import { createOrganization } from './create-organization.ts'
import { deleteOrganization } from './delete-organization.ts'
import { may, memberOf } from './guard.ts'
import { memberProcedures } from './member-procedures.ts'
import { findMemberOfUser } from './members.ts'
import {
  findOverview,
  findSlugOwner,
  keyOf,
  searchOrganizations,
  writeFullOrganization,
  writeOrganizations,
} from './organizations.ts'
import { deletion } from './refusals.ts'
import { switchOrganization } from './set-active-organization.ts'
import { updateOrganization } from './update-organization.ts'

const auditing = {
  none: 'NO_ACTIVE_ORGANIZATION',
  stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
} as const

/** The switcher shows so many; more are found by typing. */
const maxInSwitcher = 50

export const organizationRouter = router({
  /** Opens an organization with its first team; the caller becomes its owner, whatever the body says of a userId (SEC-41). */
  create: protectedProcedure
    .meta({ rest: 'POST /organization/create' })
    .use(({ ctx, next }) =>
      ctx.config.mayCreateOrganizations ? next() : refuse('YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION'),
    )
    .input(CreateOrganization)
    .output(CreatedOrganization)
    .mutation(({ ctx, input }) => createOrganization(ctx, input)),

  /** Is an address still to be had? The creation itself decides. */
  checkSlug: protectedProcedure
    .meta({ rest: 'POST /organization/check-slug' })
    .input(CheckSlug)
    .output(Status)
    .mutation(async ({ ctx, input: { slug } }) => {
      if (await findSlugOwner(ctx.db, slug)) refuse('SLUG_IS_TAKEN')
      return { status: true }
    }),

  update: protectedProcedure
    .meta({ rest: 'POST /organization/update', unauthorized: 'UPDATE_USER_NOT_FOUND' })
    .input(UpdateOrganization)
    .concat(
      may('organization', 'update', {
        none: 'ORGANIZATION_NOT_FOUND',
        stranger: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
        denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
      }),
    )
    .output(Organization)
    .mutation(({ ctx, input }) => updateOrganization(ctx, input)),

  /** Deletes the organization with all that belongs to it, for every member at once. */
  delete: protectedProcedure
    .meta({ rest: 'POST /organization/delete' })
    .input(OrganizationNamed)
    .concat(may('organization', 'delete', deletion))
    .output(Organization)
    .mutation(({ ctx, input }) => deleteOrganization(ctx, input)),

  list: protectedProcedure
    .meta({ rest: 'GET /organization/list', answers: z.array(Organization) })
    .input(Page)
    .query(async ({ ctx: { pool, user }, input }) =>
      jsonText<z.output<typeof Organization>[]>(await writeOrganizations(pool, { ...input, userId: user.id })),
    ),

  /** For the switcher: with the own role, by name, found by typing. */
  mine: protectedProcedure
    .input(ListMine)
    .output(z.array(MyOrganization))
    .query(({ ctx, input: { search = '' } }) =>
      searchOrganizations(ctx.db, { userId: ctx.user.id, search: search.trim(), limit: maxInSwitcher }),
    ),

  /** For the screens of one organization, by the slug in their address. */
  get: protectedProcedure
    .input(z.object({ slug: GivenSlug }))
    .output(OrganizationOverview)
    .query(async ({ ctx, input: { slug } }) => {
      const overview = await findOverview(ctx.pool, { slug, userId: ctx.user.id, now: ctx.now })
      return { ...(overview ?? refuse('READER_IS_NOT_A_MEMBER')), membershipLimit: ctx.config.membershipLimit }
    }),

  /** Null where there is nothing to look up; an unknown organization answers like a foreign one. */
  getFull: protectedProcedure
    .meta({ rest: 'GET /organization/get-full-organization', answers: FullOrganization.nullable() })
    .input(GetFullOrganization)
    .query(async ({ ctx: { pool, user, session }, input }) => {
      const key = keyOf(input.organizationSlug, input.organizationId ?? session.activeOrganizationId)
      const full = key && ((await writeFullOrganization(pool, key, user.id)) ?? refuse('READER_IS_NOT_A_MEMBER'))
      return jsonText<z.output<typeof FullOrganization> | null>(full?.text ?? 'null')
    }),

  /** The organization that this session works in: null unsets it, nothing at all asks which it is. */
  setActive: protectedProcedure
    .meta({ rest: 'POST /organization/set-active' })
    .input(SetActiveOrganization)
    .output(FullOrganization.nullable())
    .mutation(({ ctx, input }) => switchOrganization(ctx, input)),

  hasPermission: protectedProcedure
    .meta({ rest: 'POST /organization/has-permission' })
    .input(HasPermission)
    .concat(memberOf({ none: 'NO_ACTIVE_ORGANIZATION', stranger: 'ASKER_IS_NOT_A_MEMBER' }))
    .output(PermissionAnswer)
    .mutation(({ ctx, input }) => ({ error: null, success: grantsAll(ctx.member.role, input.request) })),

  /** The caller's own membership of the active organization, or null. */
  getActiveMember: protectedProcedure
    .meta({ rest: 'GET /organization/get-active-member' })
    .output(MemberWithUser.nullable())
    .query(async ({ ctx: { db, session, user } }) => {
      const organizationId = session.activeOrganizationId
      return organizationId === null ? null : findMemberOfUser(db, { organizationId, userId: user.id })
    }),

  /** The audit log, newest first: for owners and administrators. */
  activity: protectedProcedure
    .meta({ rest: 'GET /organization/list-activity' })
    .input(ListOrganizationEvents)
    .concat(may('organization', 'update', auditing))
    .output(EventPage)
    .query(({ ctx, input }) => listEvents(ctx.db, { organizationId: ctx.member.organizationId }, input)),

  ...memberProcedures,
})
