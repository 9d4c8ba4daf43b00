import { refreshDecoys } from '../account/refresh-decoys.ts'
import { removeUnusedAccounts } from '../account/remove-unused-accounts.ts'
import type { App } from '../dependencies.ts'
import { firstEventId } from '../event/event-ids.ts'
import { deleteEvents } from '../event/events.ts'
import { deleteExpiredLeases } from '../foundation/leases.ts'
import { deleteExpiredLimits } from '../foundation/limits.ts'
import { daysBefore } from '../foundation/time.ts'
import { deleteExpiredVerifications } from '../foundation/verifications.ts'
import { deleteEndedInvitations } from '../invitation/invitations.ts'
import { deleteMails } from '../mail/mail-rows.ts'
import { deleteExpiredArtifacts } from '../oauth/artifact-store.ts'
import { endConsentsOfDeletedOrganizations } from '../oauth/end-consents.ts'
import { reducePayloads } from '../payment/records/stored-events.ts'
import { deleteUnusedPictures } from '../picture/pictures.ts'
import { deleteExpiredSessions } from '../session/sessions.ts'
import { removeLostFactors } from '../two-factor/remove-lost-factors.ts'
import { deleteDeliveries, deleteDeliveriesTo, listDeletedEndpoints } from '../webhook/deliveries.ts'

/** Maximum rows deleted or changed per statement, so that none holds locks for long (REL-13). */
const limit = 500

/** Days to keep emails: long enough to answer "did you send it?". */
const mailDays = 30

/** Days to keep answered and expired invitations. The response with the full organization includes them. */
const invitationDays = 90

/** Days to keep deliveries to webhook endpoints. */
const deliveryDays = 30

/** Days to keep a picture that is not in use, so that there is time to save the form in which it was chosen. */
const pictureDays = 1

/**
 * Runs all cleanup steps. Most of them delete expired rows in small batches, each in its own statement. A step that
 * fails does not prevent the others: the failure is thrown at the end.
 */
export async function sweep(app: App): Promise<void> {
  const failures: unknown[] = []
  for (const [step, run] of Object.entries(stepsOf(app))) {
    await run().catch((error: unknown) => {
      app.log.warn({ err: error, step }, 'cleanup step failed')
      failures.push(error)
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some cleanup steps failed')
}

/** The cleanup steps, by the name that the log uses. */
function stepsOf(app: App): Record<string, () => Promise<unknown>> {
  const { db, config } = app
  const now = app.clock()
  const before = (days: number) => daysBefore(now, days)
  const firstRetained = firstEventId(before(config.eventRetentionDays))
  // The id of a delivery begins with the id of its event.
  const retainedDeliveries = [firstRetained, firstEventId(before(deliveryDays))].toSorted()
  const batched = (deleteSome: () => Promise<number>) => () => inBatches(deleteSome)
  return {
    sessions: batched(() => deleteExpiredSessions(db, { now, limit })),
    verifications: batched(() => deleteExpiredVerifications(db, { now, limit })),
    limits: batched(() => deleteExpiredLimits(db, { now, limit })),
    leases: batched(() => deleteExpiredLeases(db, { now, limit })),
    invitations: batched(() => deleteEndedInvitations(db, { before: before(invitationDays), now, limit })),
    mails: batched(() => deleteMails(db, { before: before(mailDays), limit })),
    artifacts: batched(() => deleteExpiredArtifacts(db, { now, limit })),
    // The organization of a consent has no foreign key, because most consents name none.
    consents: () => endConsentsOfDeletedOrganizations(app, { now, batch: limit }),
    pictures: batched(() => deleteUnusedPictures(db, { before: before(pictureDays), limit })),
    events: batched(() => deleteEvents(db, { before: firstRetained, limit })),
    deliveries: batched(() => deleteDeliveries(db, { before: retainedDeliveries.at(-1) ?? firstRetained, limit })),
    deliveriesWithoutEndpoint: () => deleteDeliveriesWithoutEndpoint(db),
    unusedAccounts: () => removeUnusedAccounts(app),
    decoys: () => refreshDecoys(app),
    lostFactors: () => removeLostFactors(app),
  }
}

async function deleteDeliveriesWithoutEndpoint(db: App['db']): Promise<void> {
  for (const { endpointId } of await listDeletedEndpoints(db)) {
    await inBatches(() => deleteDeliveriesTo(db, endpointId, limit))
  }
}

/** Reduces the payloads of payment events that are older than PAYLOAD_RETENTION_DAYS, once a night. */
export async function reduceOldPayloads({ db, config, clock }: App): Promise<void> {
  const before = daysBefore(clock(), config.payloadRetentionDays)
  await inBatches(() => reducePayloads(db, { before, limit }))
}

async function inBatches(changeSome: () => Promise<number>): Promise<void> {
  while ((await changeSome()) === limit);
}
