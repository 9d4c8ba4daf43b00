import { z } from 'zod'
import { Page, Status } from '../../shared/account.ts'
import {
  CheckSlug,
  CreatedOrganization,
  CreateOrganization,
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
import { EventPage, ListOrganizationEvents } from '../../shared/event.ts'
import { listEvents } from '../event/events.ts'
import { grantsAll } from '../../shared/permissions.ts'
import { refuseForeignPicture } from '../account/pictures.ts'
import type { Caller, Context } from '../context.ts'
import { eventParameters, logEvent, record, type NewEvent } from '../event/record.ts'
import { isGone, violatedUnique, transaction } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { given, router, signedIn, whoever } from '../procedure.ts'
import { setActiveOrganization } from '../session/sessions.ts'
import { may, memberOf, underLock } from './guard.ts'
import { findMemberOfUser } from './members.ts'
import { memberProcedures } from './membership.ts'
import {
  deleteOrganization,
  findOverview,
  findSlugOwner,
  createOrganization,
  searchOrganizations,
  updateOrganization,
  writeFullOrganization,
  writeOrganizations,
} from './organizations.ts'

const deletion = {
  none: 'ORGANIZATION_NOT_FOUND',
  stranger: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION',
} as const

const auditing = {
  none: 'NO_ACTIVE_ORGANIZATION',
  stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
} as const

/** The switcher shows so many; more are found by typing. */
const shownInSwitcher = 50

export const organizationRouter = router({
  /** Opens an organization with its first team; the caller becomes its owner, whatever the body says of a userId (SEC-41). */
  create: signedIn
    .meta({ rest: 'POST /organization/create' })
    .use(({ ctx, next }) =>
      ctx.config.mayCreateOrganizations ? next() : refuse('YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION'),
    )
    .input(CreateOrganization)
    .output(CreatedOrganization)
    .mutation(async ({ ctx, input: { keepCurrentActiveOrganization, ...wish } }) => {
      const { config, now, user, session } = ctx
      refuseForeignPicture(wish.logo, config.appOrigin)
      const event = (organizationId: string): NewEvent => {
        const data = { name: wish.name, slug: wish.slug }
        return { type: 'organization.created', actorId: user.id, organizationId, data }
      }
      const created = await createOrganization(
        ctx.pool,
        {
          ...wish,
          logo: wish.logo ?? null,
          metadata: wish.metadata ?? null,
          userId: user.id,
          sessionId: keepCurrentActiveOrganization ? null : session.id,
          limit: config.organizationLimit,
          now,
        },
        (id) => eventParameters(ctx, event(id)),
      ).catch(refuseTakenSlug)
      if (!created) refuse('YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')
      const { organization, owner } = created
      logEvent(ctx, event(organization.id))
      if (!keepCurrentActiveOrganization) await ctx.renewCookies({ session: { activeOrganizationId: organization.id } })
      return { ...organization, members: [owner] }
    }),

  /** Is an address still to be had? The creation itself decides. */
  checkSlug: signedIn
    .meta({ rest: 'POST /organization/check-slug' })
    .input(CheckSlug)
    .output(Status)
    .mutation(async ({ ctx, input: { slug } }) => {
      if (await findSlugOwner(ctx.db, slug)) refuse('SLUG_IS_TAKEN')
      return { status: true }
    }),

  update: signedIn
    .meta({ rest: 'POST /organization/update', unauthorized: 'UPDATE_USER_NOT_FOUND' })
    .input(UpdateOrganization)
    .use(
      may('organization', 'update', {
        none: 'ORGANIZATION_NOT_FOUND',
        stranger: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
        denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
      }),
    )
    .output(Organization)
    .mutation(async ({ ctx, input: { data } }) => {
      refuseForeignPicture(data.logo, ctx.config.appOrigin)
      const { organizationId } = ctx.member
      const fields = Object.entries(data).flatMap(([field, value]) => (value === undefined ? [] : [field]))
      const updated = await transaction(ctx, async (tx) => {
        const organization = await updateOrganization(tx, organizationId, data)
        const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { fields } }
        await record(tx, ctx, { type: 'organization.updated', ...event })
        return organization
      })
        .catch(refuseTakenSlug)
        .catch(refuseGone)
      return Organization.parse(updated)
    }),

  /** Deletes the organization with all that belongs to it, for every member at once. */
  delete: signedIn
    .meta({ rest: 'POST /organization/delete' })
    .input(OrganizationNamed)
    .use(may('organization', 'delete', deletion))
    .output(Organization)
    .mutation(async ({ ctx, input: { organizationId } }) => {
      const deleted = await transaction(ctx, async (tx) => {
        await underLock(tx, ctx.member, ['organization', 'delete'], deletion)
        const { name, slug, ...row } = await deleteOrganization(tx, organizationId)
        const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { name, slug } }
        await record(tx, ctx, { type: 'organization.deleted', ...event })
        return { name, slug, ...row }
      }).catch(refuseGone)
      if (ctx.session.activeOrganizationId === organizationId) {
        await ctx.renewCookies({ session: { activeOrganizationId: null } })
      }
      return Organization.parse(deleted)
    }),

  list: signedIn
    .meta({
      rest: 'GET /organization/list',
      verbatim: async (ctx, query) => writeList(await whoever(ctx), given(Page, query)),
    })
    .input(Page)
    .output(z.array(Organization))
    .query(async ({ ctx, input }) => z.array(Organization).parse(JSON.parse(await writeList(ctx, input)))),

  /** For the switcher: with the own role, by name, found by typing. */
  mine: signedIn
    .input(ListMine)
    .output(z.array(MyOrganization))
    .query(({ ctx, input: { search = '' } }) =>
      searchOrganizations(ctx.db, { userId: ctx.user.id, search: search.trim(), limit: shownInSwitcher }),
    ),

  /** For the screens of one organization, by the slug in their address. */
  get: signedIn
    .input(z.object({ slug: GivenSlug }))
    .output(OrganizationOverview)
    .query(async ({ ctx, input: { slug } }) => {
      const overview = await findOverview(ctx.pool, { slug, userId: ctx.user.id, now: ctx.now })
      return { ...(overview ?? refuse('READER_IS_NOT_A_MEMBER')), membershipLimit: ctx.config.membershipLimit }
    }),

  /** Null where there is nothing to look up; an unknown organization answers like a foreign one. */
  getFull: signedIn
    .meta({
      rest: 'GET /organization/get-full-organization',
      verbatim: async (ctx, query) => writeFull(await whoever(ctx), given(GetFullOrganization, query)),
    })
    .input(GetFullOrganization)
    .output(FullOrganization.nullable())
    .query(async ({ ctx, input }) => FullOrganization.nullable().parse(JSON.parse(await writeFull(ctx, input)))),

  /** The organization that this session works in: null unsets it, nothing at all asks which it is. */
  setActive: signedIn
    .meta({ rest: 'POST /organization/set-active' })
    .input(SetActiveOrganization)
    .output(FullOrganization.nullable())
    .mutation(async ({ ctx, input: { organizationId, organizationSlug } }) => {
      const { session, user } = ctx
      const active = session.activeOrganizationId
      const turnTo = async (next: string | null) => {
        if (next === active) return
        await setActiveOrganization(ctx.db, session.id, next)
        await ctx.renewCookies({ session: { activeOrganizationId: next } })
      }
      if (organizationId === null && !organizationSlug) {
        await turnTo(null)
        return null
      }
      const key = keyOf(organizationSlug, organizationId ?? active)
      if (!key) return null
      const full = await writeFullOrganization(ctx.pool, key, user.id)
      if (!full) {
        if ('id' in key && key.id === active) await turnTo(null)
        refuse('READER_IS_NOT_A_MEMBER')
      }
      await turnTo(full.id)
      return FullOrganization.parse(JSON.parse(full.text))
    }),

  hasPermission: signedIn
    .meta({ rest: 'POST /organization/has-permission' })
    .input(HasPermission)
    .use(memberOf({ none: 'NO_ACTIVE_ORGANIZATION', stranger: 'ASKER_IS_NOT_A_MEMBER' }))
    .output(PermissionAnswer)
    .mutation(({ ctx, input }) => ({ error: null, success: grantsAll(ctx.member.role, input.request) })),

  /** The caller's own membership of the active organization, or null. */
  getActiveMember: signedIn
    .meta({ rest: 'GET /organization/get-active-member' })
    .output(MemberWithUser.nullable())
    .query(async ({ ctx: { db, session, user } }) => {
      const organizationId = session.activeOrganizationId
      return organizationId === null ? null : findMemberOfUser(db, { organizationId, userId: user.id })
    }),

  /** The audit log, newest first: for owners and administrators. */
  activity: signedIn
    .meta({ rest: 'GET /organization/list-activity' })
    .input(ListOrganizationEvents)
    .use(may('organization', 'update', auditing))
    .output(EventPage)
    .query(({ ctx, input }) => listEvents(ctx.db, { organizationId: ctx.member.organizationId }, input)),

  ...memberProcedures,
})

type Signed = Context & Pick<Caller, 'user' | 'session'>

function writeList({ pool, user }: Signed, page: z.output<typeof Page>): Promise<string> {
  return writeOrganizations(pool, { ...page, userId: user.id })
}

async function writeFull(
  { pool, user, session }: Signed,
  input: z.output<typeof GetFullOrganization>,
): Promise<string> {
  const key = keyOf(input.organizationSlug, input.organizationId ?? session.activeOrganizationId)
  if (!key) return 'null'
  const full = await writeFullOrganization(pool, key, user.id)
  return full?.text ?? refuse('READER_IS_NOT_A_MEMBER')
}

/** The slug wins where both are given. */
function keyOf(slug: string | null | undefined, id: string | null | undefined) {
  if (slug) return { slug }
  return id ? { id } : undefined
}

function refuseTakenSlug(error: unknown): never {
  if (violatedUnique(error)?.includes('slug')) refuse('ORGANIZATION_ALREADY_EXISTS')
  throw error
}

/** Deleted by another owner at the same time. */
function refuseGone(error: unknown): never {
  if (isGone(error)) refuse('USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION')
  throw error
}
