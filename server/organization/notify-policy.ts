import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { addJob } from '../foundation/add-job.ts'
import type { Tx } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { displayEmail } from '../foundation/verified-email.ts'
import { composeMail, organizationAvatar } from '../mail/mail.ts'
import { membersToNotify } from './members.ts'
import { findOrganization, lockOrganization } from './organizations.ts'

/** Members notified in one run, so that a large organization is locked only briefly. */
const perRun = 25

/**
 * The payload of the job: the policy, identified by its date, and the last member notified; or members whose email
 * limit was reached when it was their turn.
 */
const Progress = z.object({
  organizationId: z.string(),
  from: z.string(),
  after: z.string(),
  missed: z.array(z.string()).optional(),
})
type Progress = z.output<typeof Progress>

/**
 * Schedules the emails to members without a second factor. A later policy of the organization replaces the next run;
 * other runs of the former policy end without effect.
 */
export async function startPolicyNotices(tx: Tx, policy: Omit<Progress, 'after'>): Promise<void> {
  await schedule(tx, { ...policy, after: '' })
}

async function schedule(tx: Tx, progress: Progress): Promise<void> {
  await addJob(tx, 'notifyPolicy', progress, { key: `policy:${progress.organizationId}` })
}

/** Schedules the emails to members whose email limit was reached. Limits last an hour. */
async function scheduleMissed(tx: Tx, progress: Progress, missed: string[], now: Date): Promise<void> {
  const key = `policy:${progress.organizationId}:${missed[0]}`
  await addJob(tx, 'notifyPolicy', { ...progress, missed }, { key, runAt: secondsAfter(now, 3_600) })
}

/**
 * Emails the next members that their organization requires a second factor, and schedules the rest in the same
 * transaction. A failed run notifies no one and is repeated. Stops if the policy has changed since.
 */
export async function notifyPolicy(app: App, payload: unknown): Promise<void> {
  const progress = Progress.parse(payload)
  const { organizationId } = progress
  const now = app.clock()
  await transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const organization = await findOrganization(tx, organizationId)
    if (organization?.secondFactorFrom?.toISOString() !== progress.from) return
    const { after, missed: ids } = progress
    const found = await membersToNotify(tx, { organizationId, after, limit: perRun, ...(ids && { ids }) })
    const members = found.map(({ id, user }) => ({ id, user: { ...user, email: displayEmail(user) } }))
    const link = `${app.config.appOrigin}/settings/security`
    const avatar = organizationAvatar(organization, app.config.appOrigin)
    const mailContext = { now, link, avatar, expiresAt: organization.secondFactorFrom, budget: 'policy' as const }
    const values = { organization: organization.name }
    const missed: string[] = []
    // In the order of email addresses, so that two organizations with the same members lock the counts in the same
    // order.
    for (const { id, user } of members.toSorted((a, b) => (a.user.email < b.user.email ? -1 : 1))) {
      const mail = composeMail('secondFactorRequired', user, { ...mailContext, values })
      if (!(await app.outbox.enqueue(tx, mail, now))) missed.push(id)
    }
    if (missed.length > 0) await scheduleMissed(tx, progress, missed, now)
    const last = members.at(-1)
    if (!ids && last && members.length === perRun) await schedule(tx, { ...progress, after: last.id })
  })
}
