import { z } from 'zod'
import { ApiKeyReference } from '../../shared/api-key.ts'
import { EventPage } from '../../shared/event.ts'
import {
  AnyApiKeyPage,
  JobReference,
  JobRow,
  ListAllApiKeys,
  ListAllEvents,
  ListAllOrganizations,
  ListMails,
  ListOrganizationMembers,
  MailReference,
  MailPage,
  OrganizationDetails,
  OrganizationPage,
  Overview,
  SetOrganizationLimit,
  SettingRow,
} from '../../shared/installation.ts'
import { MembersPage, OrganizationReference } from '../../shared/organization.ts'
import { Status } from '../../shared/schema.ts'
import { listEvents } from '../event/events.ts'
import { refuse } from '../foundation/refusal.ts'
import { searchMembers } from '../organization/members.ts'
import { allowReplica } from '../procedure/replica.ts'
import { listAllApiKeys } from './all-api-keys.ts'
import { deleteAnyApiKey } from './delete-any-api-key.ts'
import { deleteAnyOrganization } from './delete-any-organization.ts'
import { administratorProcedure, freshAdministratorProcedure } from './guard.ts'
import { listJobs } from './job-rows.ts'
import { listMails } from './mails.ts'
import { findOrganizationDetails, listAllOrganizations } from './organizations.ts'
import { readOverview } from './overview.ts'
import { runJob } from './run-job.ts'
import { sendMailAgain } from './send-mail-again.ts'
import { setOrganizationLimit } from './set-organization-limit.ts'

/** Views of the whole installation for administrators: organizations, events, emails, jobs, settings. */
export const installationProcedures = {
  overview: administratorProcedure
    .output(Overview)
    .use(allowReplica)
    .query(({ ctx }) => readOverview(ctx.db, ctx, { hasMailServer: ctx.outbox.hasMailServer })),

  organizations: administratorProcedure
    .meta({ rest: 'GET /admin/list-organizations', summary: 'List all organizations: search, order and pages' })
    .input(ListAllOrganizations)
    .output(OrganizationPage)
    .use(allowReplica)
    .query(({ ctx, input }) => listAllOrganizations(ctx.db, input, ctx)),

  organization: administratorProcedure
    .meta({ rest: 'GET /admin/get-organization', summary: 'One organization: its size, limit and subscriptions' })
    .input(OrganizationReference)
    .output(OrganizationDetails)
    .query(async ({ ctx, input: { organizationId } }) => {
      const found =
        (await findOrganizationDetails(ctx.db, { id: organizationId, now: ctx.now })) ??
        refuse('ORGANIZATION_NOT_FOUND')
      return { ...found, defaultMembershipLimit: ctx.config.membershipLimit }
    }),

  organizationMembers: administratorProcedure
    .meta({ rest: 'GET /admin/list-organization-members', summary: 'List the members of any organization' })
    .input(ListOrganizationMembers)
    .output(MembersPage)
    .use(allowReplica)
    .query(({ ctx, input: { q, sortBy, sortDirection, ...input } }) =>
      searchMembers(ctx.db, { ...input, search: q, sort: sortBy, descending: sortDirection === 'desc' }),
    ),

  setOrganizationLimit: freshAdministratorProcedure
    .meta({
      rest: 'POST /admin/set-organization-limit',
      summary: 'Set the maximum number of members of an organization',
    })
    .input(SetOrganizationLimit)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await setOrganizationLimit(ctx, input)
      return { status: true }
    }),

  deleteOrganization: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/delete-organization', summary: 'Delete any organization' })
    .input(OrganizationReference)
    .output(Status)
    .mutation(async ({ ctx, input: { organizationId } }) => {
      await deleteAnyOrganization(ctx, organizationId)
      return { status: true }
    }),

  apiKeys: administratorProcedure
    .meta({
      rest: 'GET /admin/list-api-keys',
      summary: 'List the API keys of all users and organizations, newest first',
    })
    .input(ListAllApiKeys)
    .output(AnyApiKeyPage)
    .use(allowReplica)
    .query(({ ctx, input }) => listAllApiKeys(ctx.db, input, ctx)),

  deleteApiKey: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/delete-api-key', summary: 'Delete any API key' })
    .input(ApiKeyReference)
    .output(Status)
    .mutation(async ({ ctx, input: { keyId } }) => {
      await deleteAnyApiKey(ctx, keyId)
      return { status: true }
    }),

  events: administratorProcedure
    .meta({ rest: 'GET /admin/list-events', summary: 'List the events of all users and organizations, newest first' })
    .input(ListAllEvents)
    .output(EventPage)
    .use(allowReplica)
    .query(({ ctx, input: { userId, organizationId, ...wanted } }) =>
      listEvents(ctx.db, { ofAll: true, userId, organizationId }, wanted),
    ),

  mails: administratorProcedure
    .meta({ rest: 'GET /admin/list-mails', summary: 'List emails: queued, sent and rejected' })
    .input(ListMails)
    .output(MailPage)
    .use(allowReplica)
    .query(({ ctx, input }) => listMails(ctx.db, ctx.outbox, input)),

  sendMailAgain: administratorProcedure
    .meta({ rest: 'POST /admin/send-mail-again', summary: 'Send an email that is queued or was rejected' })
    .input(MailReference)
    .output(Status)
    .mutation(async ({ ctx, input: { mailId } }) => {
      await sendMailAgain(ctx, mailId)
      return { status: true }
    }),

  /** Background jobs that have failed or are waiting, at most a hundred. */
  jobs: administratorProcedure.output(z.array(JobRow)).query(({ ctx }) => listJobs(ctx.db)),

  /** Lets a job that failed or waits run now. */
  runJob: administratorProcedure
    .input(JobReference)
    .output(Status)
    .mutation(async ({ ctx, input: { jobId } }) => {
      await runJob(ctx, jobId)
      return { status: true }
    }),

  /** The current settings. Secret values are not revealed. */
  settings: administratorProcedure.output(z.array(SettingRow)).query(({ ctx }) => [...ctx.config.shown]),
}
