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
import { deleteExpiredArtifacts } from '../oauth/artifacts.ts'
import { endConsentsOfDeletedOrganizations } from '../oauth/end-consents.ts'
import { reducePayloads } from '../payment/records/stored-events.ts'
import { deleteUnusedPictures } from '../picture/pictures.ts'
import { deleteExpiredSessions } from '../session/sessions.ts'
import { removeLostFactors } from '../two-factor/remove-lost-factors.ts'
import { deleteDeliveries, deleteDeliveriesTo, listDeletedEndpoints } from '../webhook/deliveries.ts'

/** Maximum rows deleted per statement, so that no sweep holds locks for long (REL-13). */
const limit = 500

/** Days to keep emails: long enough to answer "did you send it?". */
const mailDays = 30

/** Days to keep answered and expired invitations. Every response about an organization includes them. */
const invitationDays = 90

/** Days to keep deliveries to webhook endpoints. */
const deliveryDays = 30

/** Days to keep a picture that is not in use, so that there is time to save the form in which it was chosen. */
const pictureDays = 1

/**
 * Deletes expired data in small batches, each in its own statement. A table that cannot be swept does not prevent the
 * others from being swept: the failure is thrown at the end.
 */
export async function sweep(app: App): Promise<void> {
  const failures: unknown[] = []
  for (const [step, run] of Object.entries(stepsOf(app))) {
    await run().catch((error: unknown) => {
      app.log.warn({ err: error, step }, 'failed to sweep')
      failures.push(error)
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything was swept')
}

/** What is swept, by the name that the log uses. */
function stepsOf(app: App): Record<string, () => Promise<unknown>> {
  const { db, config } = app
  const now = app.clock()
  const before = (days: number) => daysBefore(now, days)
  const firstRetained = firstEventId(before(config.eventRetentionDays))
  // The id of a delivery begins with the id of its event.
  const retainedDeliveries = [firstRetained, firstEventId(before(deliveryDays))].toSorted()
  const each = (deleteSome: () => Promise<number>) => () => inBatches(deleteSome)
  return {
    sessions: each(() => deleteExpiredSessions(db, { now, limit })),
    verifications: each(() => deleteExpiredVerifications(db, { now, limit })),
    limits: each(() => deleteExpiredLimits(db, { now, limit })),
    leases: each(() => deleteExpiredLeases(db, { now, limit })),
    invitations: each(() => deleteEndedInvitations(db, { before: before(invitationDays), now, limit })),
    mails: each(() => deleteMails(db, { before: before(mailDays), limit })),
    artifacts: each(() => deleteExpiredArtifacts(db, { now, limit })),
    // The organization of a consent is not a reference, because most consents name none.
    consents: () => endConsentsOfDeletedOrganizations(app, { now, batch: limit }),
    pictures: each(() => deleteUnusedPictures(db, { before: before(pictureDays), limit })),
    events: each(() => deleteEvents(db, { before: firstRetained, limit })),
    deliveries: each(() => deleteDeliveries(db, { before: retainedDeliveries.at(-1) ?? firstRetained, limit })),
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
