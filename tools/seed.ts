import './load-env.ts'
import { join, resolve } from 'node:path'
import { migrate } from '../prisma/migrate.ts'
import { projectFolder, readConfig } from '../server/config.ts'
import { openDependencies } from '../server/dependencies.ts'
import { type NewEvent } from '../server/event/event-rows.ts'
import { recordAll } from '../server/event/record.ts'
import { newId, newSecret, sha256 } from '../server/foundation/crypto.ts'
import { openLog } from '../server/foundation/log.ts'
import { openEmbeddedPostgres } from '../server/foundation/postgres.ts'
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

const config = readConfig()
if (config.isProduction) {
  console.error('The seed is for development: NODE_ENV is production.')
  process.exit(1)
}
const dataFolder = resolve(projectFolder, config.dataFolder)
const postgres = config.databaseUrl ? undefined : await openEmbeddedPostgres(join(dataFolder, 'postgres'))
const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
await migrate(databaseUrl, join(projectFolder, 'prisma'))
const { app, close } = openDependencies(config, databaseUrl, { secret: newSecret(), log: openLog('silent') })
const now = app.clock()
const before = (days: number) => new Date(now.getTime() - days * day)

if (await app.db.user.findUnique({ where: { email: 'ada@example.test' } })) {
  console.log('The seed data already exists.')
} else {
  const hash = await app.hasher.hash(password)
  await transaction(app, async (tx) => {
    const people = names.map((name, n) => ({
      id: newId(),
      email: `${name.split(' ')[0]?.toLowerCase()}@example.test`,
      name,
      emailVerified: n !== 7,
      createdAt: before(200 - n),
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
    const [ada] = people
    if (!ada) return
    const events: NewEvent[] = []
    await tx.product.create({
      data: { productId: 'pdt_seed', name: 'Team plan', features: [], hasSeats: false, updatedAt: now },
    })
    for (const [name, size] of [
      ['Solo', 1],
      ['Analytical Engines', 12],
      ['Difference & Sons', 60],
    ] as const) {
      const organizationId = newId()
      const teamId = newId()
      const createdAt = before(150)
      const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
      await tx.organization.create({ data: { id: organizationId, name, slug, createdAt } })
      await tx.team.create({ data: { id: teamId, name: 'Engineering', organizationId, createdAt } })
      await tx.member.createMany({
        data: people.slice(0, size).map(({ id: userId }, n) => ({
          id: newId(),
          organizationId,
          userId,
          role: n === 0 ? 'owner' : n < 4 ? 'admin' : 'member',
          teamId: n % 3 === 0 ? teamId : null,
          createdAt: before(150 - n),
        })),
      })
      await tx.invitation.createMany({
        data: (['pending', 'accepted', 'rejected', 'canceled', 'pending'] as const).map((status, n) => ({
          id: newId(),
          organizationId,
          email: `guest.${n}@example.test`,
          role: 'member',
          status,
          inviterId: ada.id,
          expiresAt: n === 4 ? before(1) : new Date(now.getTime() + 2 * day),
          createdAt: before(n + 1),
          secretHash: sha256(newSecret()),
        })),
      })
      events.push({ type: 'organization.created', actorId: ada.id, organizationId, data: { name, slug } })
      const customerId = `cus_seed_${slug}`
      await tx.customer.create({
        data: { customerId, email: ada.email, name, organizationId, createdAt, updatedAt: createdAt },
      })
      const payload = { payment_frequency_interval: 'Month', payment_frequency_count: 1, tax_inclusive: true }
      const owned = { customerId, organizationId, currency: 'EUR', payload, eventAt: before(5), eventId: 'seed' }
      const states = subscriptionStatuses
      await tx.subscription.createMany({
        data: states.map((status, n) => ({
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
      await tx.payment.createMany({
        data: Array.from({ length: 14 }, (_, n) => ({
          ...owned,
          payload: { card_last_four: '4242' },
          paymentId: `pay_seed_${slug}_${n}`,
          status: n % 5 === 4 ? 'failed' : 'succeeded',
          totalAmount: 2261,
          subscriptionId: `sub_seed_${slug}_active`,
          createdAt: before(n * 28),
        })),
      })
    }
    events.push(
      { type: 'user.password_changed', actorId: ada.id, data: { method: 'change' } },
      { type: 'user.sign_in_failed', subjectId: ada.id, data: { reason: 'wrong_password' } },
    )
    await tx.activeUserCount.createMany({
      data: Array.from({ length: 30 }, (_, n) => ({ day: before(n + 1), users: 18 + ((n * 7) % 23) })),
    })
    const origin = { now, ipAddress: '192.0.2.1', userAgent: 'npm run seed', requestId: '', log: app.log }
    await recordAll(tx, origin, events)
  })
  console.log(`Sign in as ada@example.test (an administrator) or ${names.length - 1} others, password: ${password}`)
}
await close()
await postgres?.release()
process.exit(0)
