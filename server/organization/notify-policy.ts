import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { transaction, type Tx } from '../foundation/database.ts'
import { composeMail } from '../mail/mail.ts'
import { membersToNotify } from './members.ts'
import { lockOrganization } from './organizations.ts'

/** Members told in one run, so that an organization of thousands holds its lock for a moment only. */
const perRun = 25

/** The payload of the job: the policy that is told of, and the last member who has been told. */
const Progress = z.object({ organizationId: z.string(), from: z.string(), after: z.string() })
type Progress = z.output<typeof Progress>

/** Schedules the mails to members without a second factor. A later policy of the organization replaces them. */
export async function startPolicyNotices(tx: Tx, policy: Omit<Progress, 'after'>): Promise<void> {
  await schedule(tx, { ...policy, after: '' })
}

async function schedule(tx: Tx, progress: Progress): Promise<void> {
  await tx.$queryRaw`
    select graphile_worker.add_job('notifyPolicy', ${JSON.stringify(progress)}::json, job_key := ${`policy:${progress.organizationId}`})::text`
}

/**
 * Tells the next members by email that their organization requires a second factor, and schedules the rest in the same transaction: a
 * run that fails tells nobody and is repeated. Ends if the policy has changed since.
 */
export async function notifyPolicy(app: App, payload: unknown): Promise<void> {
  const progress = Progress.parse(payload)
  const { organizationId } = progress
  const now = app.clock()
  await transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const organization = await tx.organization.findUnique({ where: { id: organizationId } })
    if (organization?.secondFactorFrom?.toISOString() !== progress.from) return
    const members = await membersToNotify(tx, { organizationId, after: progress.after, limit: perRun })
    const link = `${app.config.appOrigin}/settings/security`
    const cause = { now, link, expiresAt: organization.secondFactorFrom, budget: 'notice' as const }
    const values = { organization: organization.name }
    for (const { user } of members) {
      // To an address that the user has proved, while a new one is unverified.
      const email = user.emailVerified ? user.email : (user.previousEmail ?? user.email)
      await app.outbox.enqueue(tx, composeMail('secondFactorRequired', { ...user, email }, { ...cause, values }), now)
    }
    const last = members.at(-1)
    if (last && members.length === perRun) await schedule(tx, { ...progress, after: last.id })
  })
}
