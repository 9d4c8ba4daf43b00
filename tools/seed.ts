import './load-env.ts'
import { join, resolve } from 'node:path'
import { migrate } from '../prisma/migrate.ts'
import { projectFolder, readConfig } from '../server/config.ts'
import { createDependencies } from '../server/dependencies.ts'
import { type NewEvent } from '../server/event/event-rows.ts'
import { recordAll } from '../server/event/record.ts'
import { newId, newSecret, sha256 } from '../server/foundation/crypto.ts'
import type { Tx } from '../server/foundation/database.ts'
import { createLog } from '../server/foundation/log.ts'
import { startEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { transaction } from '../server/foundation/transactions.ts'
import { subscriptionStatuses } from '../shared/payment.ts'

// `npm run seed`: creates people, organizations of 1, 12 and 60 members, invitations and subscriptions in every state,
// and events, so that every screen has data. All users have the password below. Not for production databases.

const password = 'correct horse battery staple'
const day = 86_400_000

const names =
  `Ada Lovelace, Grace Hopper, Alan Turing, Edsger Dijkstra, Barbara Liskov, Donald Knuth, Margaret Hamilton, Tim Berners, Radia Perlman, Linus Torvalds, Katherine Johnson, Dennis Ritchie, Frances Allen, Ken Thompson, Adele Goldberg, Brian Kernighan, Hedy Lamarr, John McCarthy, Jean Bartik, Niklaus Wirth, Karen Jones, Tony Hoare, Mary Keller, Leslie Lamport, Anita Borg, Vint Cerf, Shafi Goldwasser, Bjarne Stroustrup, Evelyn Boyd, Guido Rossum, Lynn Conway, Rasmus Lerdorf, Sophie Wilson, Yukihiro Matsumoto, Annie Easley, James Gosling, Dorothy Vaughan, Robin Milner, Mavis Batey, Butler Lampson, Betty Holberton, Ivan Sutherland, Klara Neumann, Whitfield Diffie, Kathleen Antonelli, Ralph Merkle, Marlyn Wescoff, Claude Shannon, Ruth Teitelbaum, George Boole, Susan Kare, Konrad Zuse, Elena Baldini, Manuel Blum, Joan Clarke, Fernando Corbato, Ida Rhodes, Claus Roxin, Maria Telkes, Peter Naur`.split(
    ', ',
  )

const organizations = [
  { name: 'Solo', size: 1 },
  { name: 'Analytical Engines', size: 12 },
  { name: 'Difference & Sons', size: 60 },
]

const config = readConfig()
if (config.isProduction) {
  console.error('The seed is for development: NODE_ENV is production.')
  process.exit(1)
}
const dataFolder = resolve(projectFolder, config.dataFolder)
const postgres = config.databaseUrl ? undefined : await startEmbeddedPostgres(join(dataFolder, 'postgres'))
const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
await migrate(databaseUrl, join(projectFolder, 'prisma'))
const { app, close } = createDependencies(config, databaseUrl, { secret: newSecret(), log: createLog('silent') })
const now = app.clock()
const before = (days: number) => new Date(now.getTime() - days * day)

type Person = Awaited<ReturnType<typeof seedPeople>>[number]
/** An event and when it happened. */
type Past = { daysAgo: number; event: NewEvent }

async function seedPeople(tx: Tx, hash: string) {
  const people = names.map((name, n) => ({
    id: newId(),
    email: `${name.split(' ')[0]?.toLowerCase()}@example.test`,
    name,
    emailVerified: n !== 7,
    createdAt: before(signedUpDaysAgo(n)),
    updatedAt: before(20),
    language: 3,
    role: n === 0 ? ('admin' as const) : ('user' as const),
  }))
  await tx.user.createMany({ data: people })
  await tx.account.createMany({
    data: people.map(({ id, createdAt }) => ({
      id: newId(),
      providerId: 'credential',
      accountId: id,
      userId: id,
      password: hash,
      createdAt,
      updatedAt: createdAt,
    })),
  })
  return people
}

/** The last twenty have signed up within the last weeks. */
const signedUpDaysAgo = (n: number) => (n < 40 ? 200 - n : 60 - n)

/** An organization of the first people, with a team and an invitation in every state. Returns its events. */
async function seedOrganization(tx: Tx, people: readonly Person[], { name, size }: { name: string; size: number }) {
  const [ada] = people
  if (!ada) throw new Error('There are no people')
  const organizationId = newId()
  const teamId = newId()
  const createdAt = before(150)
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  await tx.organization.create({ data: { id: organizationId, name, slug, createdAt } })
  await tx.team.create({ data: { id: teamId, name: 'Engineering', organizationId, createdAt } })
  const members = people.slice(0, size).map(({ id: userId }, n) => ({
    id: newId(),
    organizationId,
    userId,
    role: n === 0 ? 'owner' : n < 4 ? 'admin' : 'member',
    teamId: n % 3 === 0 ? teamId : null,
    createdAt: before(joinedDaysAgo(n)),
  }))
  await tx.member.createMany({ data: members })
  const invitations = (['pending', 'accepted', 'rejected', 'canceled', 'pending'] as const).map((status, n) => ({
    id: newId(),
    organizationId,
    email: `guest.${n}@example.test`,
    role: 'member',
    status,
    inviterId: ada.id,
    expiresAt: n === 4 ? before(1) : new Date(now.getTime() + 2 * day),
    createdAt: before(n + 1),
    secretHash: sha256(newSecret()),
  }))
  await tx.invitation.createMany({ data: invitations })
  await seedBilling(tx, { organizationId, name, slug, email: ada.email })
  const about = { actorId: ada.id, organizationId }
  const events: Past[] = [
    { daysAgo: 150, event: { type: 'organization.created', ...about, data: { name, slug } } },
    ...members.slice(1).map(({ id: memberId, userId, role }, n): Past => {
      const data = { userId, memberId, role, invitationId: newId() }
      const joined = { actorId: userId, subjectId: userId, organizationId, data }
      return { daysAgo: joinedDaysAgo(n + 1), event: { type: 'member.joined', ...joined } }
    }),
    ...invitations.map(({ id: invitationId, email, role }, n): Past => {
      const sent = { ...about, subjectId: null, data: { invitationId, email, role } }
      return { daysAgo: n + 1, event: { type: 'invitation.created', ...sent } }
    }),
  ]
  return events
}

const joinedDaysAgo = (n: number) => Math.min(150 - n, signedUpDaysAgo(n))

type Buyer = { organizationId: string; name: string; slug: string; email: string }

/** A customer with a subscription in every state, and payments: one failed, one refunded in part, one disputed. */
async function seedBilling(tx: Tx, { organizationId, name, slug, email }: Buyer): Promise<void> {
  const customerId = `cus_seed_${slug}`
  const createdAt = before(150)
  await tx.customer.create({ data: { customerId, email, name, organizationId, createdAt, updatedAt: createdAt } })
  const payload = { payment_frequency_interval: 'Month', payment_frequency_count: 1, tax_inclusive: false }
  const written = { payload, eventAt: before(5), eventId: 'seed' }
  const owned = { ...written, customerId, organizationId, currency: 'EUR' }
  await tx.subscription.createMany({
    data: subscriptionStatuses.map((status, n) => ({
      ...owned,
      subscriptionId: `sub_seed_${slug}_${status}`,
      productId: 'pdt_seed',
      quantity: 1,
      status,
      recurringPreTaxAmount: 1900,
      nextBillingDate: new Date(now.getTime() + 20 * day),
      cancelAtNextBillingDate: status === 'cancelled',
      statusSince: before(5),
      createdAt: before(100 + n),
    })),
  })
  const declined = { error_code: 'INSUFFICIENT_FUNDS', error_message: 'The card has insufficient funds.' }
  await tx.payment.createMany({
    data: Array.from({ length: 14 }, (_, n) => ({
      ...owned,
      payload: { card_last_four: '4242', ...(n % 5 === 4 && declined) },
      paymentId: `pay_seed_${slug}_${n}`,
      status: n % 5 === 4 ? 'failed' : 'succeeded',
      totalAmount: 2261,
      subscriptionId: `sub_seed_${slug}_active`,
      createdAt: before(n * 28),
    })),
  })
  await tx.refund.create({
    data: {
      ...written,
      refundId: `ref_seed_${slug}`,
      paymentId: `pay_seed_${slug}_2`,
      amount: 500,
      currency: 'EUR',
      isPartial: true,
      reason: 'Outage in September',
      status: 'succeeded',
      createdAt: before(50),
    },
  })
  await tx.dispute.create({
    data: {
      ...written,
      disputeId: `dis_seed_${slug}`,
      paymentId: `pay_seed_${slug}_3`,
      amount: '2261',
      currency: 'EUR',
      disputeStage: 'dispute',
      disputeStatus: 'dispute_opened',
      createdAt: before(12),
    },
  })
}

/** Sign-ups, and who signed in on which of the last thirty days. */
function accessEvents(people: readonly Person[]): Past[] {
  const [ada] = people
  const signUps = people.map(({ id }, n): Past => {
    const event = { type: 'user.signed_up', actorId: id, data: { method: 'password' } } as const
    return { daysAgo: signedUpDaysAgo(n), event }
  })
  const signIns = Array.from({ length: 30 }, (_, daysAgo) =>
    people
      .filter((_person, n) => (n * 13 + daysAgo * 7) % 11 === 0 && signedUpDaysAgo(n) >= daysAgo)
      .map(({ id }): Past => {
        const event = {
          type: 'user.signed_in',
          actorId: id,
          data: { method: 'password', sessionId: newId(), newDevice: false },
        } as const
        return { daysAgo, event }
      }),
  )
  if (!ada) return []
  return [
    ...signUps,
    ...signIns.flat(),
    { daysAgo: 9, event: { type: 'user.password_changed', actorId: ada.id, data: { method: 'change' } } },
    { daysAgo: 3, event: { type: 'user.sign_in_failed', subjectId: ada.id, data: { reason: 'wrong_password' } } },
  ]
}

/** Records events with the times at which they happened. */
async function recordPast(tx: Tx, events: readonly Past[]): Promise<void> {
  const days = [...new Set(events.map(({ daysAgo }) => daysAgo))].toSorted((a, b) => b - a)
  const origin = { ipAddress: '192.0.2.1', userAgent: 'npm run seed', requestId: '', log: app.log }
  for (const daysAgo of days) {
    const ofDay = events.filter((one) => one.daysAgo === daysAgo).map(({ event }) => event)
    await recordAll(tx, { ...origin, now: before(daysAgo) }, ofDay)
  }
}

if (await app.db.user.findUnique({ where: { email: 'ada@example.test' } })) {
  console.log('The seed data already exists.')
} else {
  const hash = await app.hasher.hash(password)
  await transaction(app, async (tx) => {
    const people = await seedPeople(tx, hash)
    await tx.product.create({
      data: { productId: 'pdt_seed', name: 'Team plan', features: [], hasSeats: false, updatedAt: now },
    })
    const events = accessEvents(people)
    for (const organization of organizations) events.push(...(await seedOrganization(tx, people, organization)))
    await recordPast(tx, events)
    await tx.activeUserCount.createMany({
      data: Array.from({ length: 30 }, (_, n) => ({ day: before(n + 1), users: 18 + ((n * 7) % 23) })),
    })
  })
  console.log(`Sign in as ada@example.test (an administrator) or ${names.length - 1} others, password: ${password}`)
}
await close()
await postgres?.release()
process.exit(0)
