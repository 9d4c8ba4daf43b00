import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { projectFolder } from '../server/config.ts'
import { withDatabase } from '../server/testing/global-setup.ts'
import { migrate, readMigrations } from './migrate.ts'

const prismaFolder = join(projectFolder, 'prisma')
const admin = new Client({ connectionString: inject('postgresUrl') })
const names: string[] = []

async function emptyDatabase(): Promise<string> {
  const name = `migrate_${randomBytes(6).toString('hex')}`
  names.push(name)
  await admin.query(`create database ${name}`)
  return withDatabase(inject('postgresUrl'), name)
}

async function query(url: string, ...texts: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const results: unknown[] = []
  for (const text of texts) results.push((await client.query(text)).rows)
  await client.end()
  return results
}

/** Applies and records the first migrations like Prisma's engine 7.10: in its table, with start and finish times. */
async function migrateLikePrisma(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create table _prisma_migrations (
    id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz,
    migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
    started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`)
  for (const { name, script } of readMigrations(prismaFolder).slice(0, count)) {
    const values = [randomUUID(), createHash('sha256').update(script).digest('hex'), name]
    await client.query('insert into _prisma_migrations (id, checksum, migration_name) values ($1, $2, $3)', values)
    await client.query(script)
    const done = 'update _prisma_migrations set finished_at = now(), applied_steps_count = 1 where id = $1'
    await client.query(done, [values[0]])
  }
  await client.end()
}

beforeAll(() => admin.connect())
afterAll(async () => {
  for (const name of names) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

describe('migrations', () => {
  const steps = readMigrations(prismaFolder).map(({ name }) => name)

  it('continue from a database migrated by Prisma’s engine, and keep its rows', async () => {
    const url = await emptyDatabase()
    await migrateLikePrisma(url, 4)
    await query(
      url,
      `insert into "User" (id, email, name, "emailVerified", "promotedEmail", "createdAt", "updatedAt", language, role)
        values ('u1', 'a@example.test', 'A', true, 'boss@example.test', now(), now(), 3, 'admin')`,
    )
    await migrate(url, prismaFolder)
    await migrate(url, prismaFolder)
    const [rows] = await query(url, 'select "formerAdminEmails" from "User"')
    expect(rows).toEqual([{ formerAdminEmails: ['boss@example.test'] }])
  })

  it('divide a consent by redirect URI, organization and API, each of them once', async () => {
    const url = await emptyDatabase()
    const before = steps.indexOf('20261125030000_distinct_redirect_uris')
    await migrateLikePrisma(url, before)
    await query(
      url,
      `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
        values ('u1', 'a@example.test', 'A', true, now(), now(), 3, 'user')`,
      `insert into "OAuthClient"
          (id, name, "redirectUris", "postLogoutRedirectUris", "grantTypes", "isFirstParty", "createdAt", "updatedAt")
        values ('c1', 'C', '{x:/1,x:/1}', '{}', '{}', false, now(), now()),
          ('c2', 'D', '{x:/1}', '{}', '{}', false, now(), now())`,
      `insert into "OAuthConsent"
          ("userId", "clientId", scopes, resources, "redirectUris", "organizationIds", "createdAt", "lastUsedAt")
        values ('u1', 'c1', '{openid}', '{x:/a,x:/b}', '{x:/1,x:/1}', '{o1,o2}', now(), now()),
          ('u1', 'c2', '{openid}', '{}', '{}', '{}', now(), now())`,
    )
    await migrate(url, prismaFolder)
    const [rows] = await query(
      url,
      `select concat_ws(' ', "clientId", "redirectUri", "organizationId", resource, array_to_string(scopes, ' ')) as consent
        from "OAuthConsent" order by 1`,
    )
    // The scopes belong to no API, because it is unknown to which.
    const ofOrganization = (id: string) => [`c1 x:/1 ${id}  openid`, `c1 x:/1 ${id} x:/a `, `c1 x:/1 ${id} x:/b `]
    const divided = [...ofOrganization('o1'), ...ofOrganization('o2'), 'c2    openid']
    expect(rows).toEqual(divided.map((consent) => ({ consent })))
  })

  it('that change names keep the values', async () => {
    const url = await emptyDatabase()
    await migrateLikePrisma(url, steps.indexOf('20261126223236_standard_names'))
    await query(
      url,
      `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role, "deviceGeneration")
        values ('u1', 'a@example.test', 'A', true, now(), now(), 3, 'user', 2)`,
      `insert into "TwoFactor" ("userId", generation, "lastStep", "createdAt", "updatedAt") values ('u1', 'g', 7, now(), now())`,
      `insert into "Mail" (id, "to", kind, language, data, "createdAt", "deliveredAt") values ('m1', 'a@example.test', 'k', 3, '{}', now(), 'epoch')`,
      `insert into "PaymentEvent" (id, type, "occurredAt", "receivedAt", payload, failure) values ('e1', 't', now(), now(), '{}', 'why')`,
      `insert into "ProviderRequest" (id, key, "createdAt", "expiresAt") values ('l1', 'k', now(), now())`,
      `insert into "Limit" (key, count, "expiresAt") values ('limit', 3, now())`,
      `insert into "PasswordDecoy" (cost, hash, share, "left") values ('c', 'h', 0.5, 0.25)`,
      `insert into "OAuthArtifact" (id, kind, payload, "isStrong", "expiresAt") values ('a1', 'Grant', '{}', true, now())`,
      `insert into "Customer" ("customerId", email, name, "isAddressUnverified", "hasPrivatePurchases", "createdAt", "updatedAt")
        values ('c1', '', '', true, false, now(), now())`,
    )
    await migrate(url, prismaFolder)
    const [rows] = await query(
      url,
      `select "passwordVersion", "trustId", "lastTimeStep", extract(epoch from "sentAt")::int as "sentAt", "rejectedAt", "stateReason",
          "Lease".key as lease, "RateLimitCounter".count, position, "maxShare", "remainingShare", "createdWithSecondFactor",
          "isEmailUnverified", "hasPersonalPurchases"
        from "User", "TwoFactor", "Mail", "PaymentEvent", "Lease", "RateLimitCounter", "PasswordDecoy", "OAuthArtifact", "Customer"`,
    )
    const ofUsers = { passwordVersion: 2, trustId: 'g', lastTimeStep: 7, createdWithSecondFactor: true }
    const ofMails = { sentAt: 0, rejectedAt: null }
    const ofPayments = { stateReason: 'why', isEmailUnverified: true, hasPersonalPurchases: false }
    const decoy = { position: 1, maxShare: 0.5, remainingShare: 0.25 }
    expect(rows).toEqual([{ ...ofUsers, ...ofMails, ...ofPayments, ...decoy, lease: 'k', count: 3 }])
    await query(url, `insert into "PasswordDecoy" (cost, hash) values ('d', 'h')`)
  })

  it('lead to schema.prisma, whose copy beside the last generated one is current', () => {
    const withoutComments = (path: string) =>
      readFileSync(join(prismaFolder, path), 'utf8')
        .split('\n')
        .map((line) =>
          line
            .replace(/\/\/.*/, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        )
        .filter((line) => line !== '')
    const copies = steps
      .map((name) => `migrations/${name}/schema.prisma`)
      .filter((path) => existsSync(join(prismaFolder, path)))
    expect(copies).toHaveLength(1)
    expect(withoutComments(copies[0] ?? '')).toEqual(withoutComments('schema.prisma'))
  })

  it('are applied once by two concurrent starts', async () => {
    const url = await emptyDatabase()
    await Promise.all([migrate(url, prismaFolder), migrate(url, prismaFolder), migrate(url, prismaFolder)])
    const [rows] = await query(url, 'select migration_name as name from _prisma_migrations order by 1')
    expect(rows).toEqual(steps.map((name) => ({ name })))
  })

  it('are refused if unknown or modified after they were applied', async () => {
    const url = await emptyDatabase()
    await migrate(url, prismaFolder)
    await query(url, `update _prisma_migrations set checksum = 'x' where migration_name = '${steps[0]}'`)
    await expect(migrate(url, prismaFolder)).rejects.toThrow('was changed after it had been applied')
    await query(
      url,
      `update _prisma_migrations set migration_name = '2099_future' where migration_name = '${steps[0]}'`,
    )
    await expect(migrate(url, prismaFolder)).rejects.toThrow('which this version of Foyer does not know')
  })
})
