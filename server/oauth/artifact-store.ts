import type { Adapter, AdapterPayload } from 'oidc-provider'
import type * as oidc from 'oidc-provider'
import { Prisma } from '../../prisma/client/client.ts'
import type { App } from '../dependencies.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import { secondsAfter } from '../foundation/time.ts'
import { findClient } from './clients.ts'

/** Prefix of an id that is already a row id. Used only to update device codes; no lookup accepts it. */
const rowPrefix = 'row:'

type Deps = Pick<App, 'db' | 'pool' | 'clock'>

/** Row id of an artifact. The value itself is known only to its holder. */
function artifactId(kind: string, value: string): string {
  return sha256(`${kind}:${value}`)
}

/**
 * Stores the artifacts of the OpenID issuer in PostgreSQL. Values that grant access are stored as hashes. An artifact
 * of a session is found only while the session exists and its user is not banned, so ending a session ends it
 * immediately.
 */
export function createArtifactStore({ db, pool, clock }: Deps, errors: typeof oidc.errors): (kind: string) => Adapter {
  async function findRow(by: { id: string } | { userCodeHash: string }) {
    const find = 'id' in by ? findById({ ...by, now: clock() }) : findByUserCode({ ...by, now: clock() })
    const { rows } = await pool.query<{ row: string; payload: AdapterPayload; consumed: number | null }>(find)
    const [row] = rows
    if (!row) return undefined
    const payload: AdapterPayload = { ...row.payload, ...(row.consumed !== null && { consumed: row.consumed }) }
    return { row: row.row, payload }
  }

  async function upsert(kind: string, id: string, payload: AdapterPayload, expiresIn = 60): Promise<void> {
    // Neither the value nor the code that a device's user enters is stored.
    const { jti: _value, userCode, consumed: _consumed, ...kept } = payload
    const { clientId = null, grantId = null, accountId = null, sessionUid = null } = kept
    const text = JSON.stringify(kept)
    // PostgreSQL cannot store NUL.
    if (text.includes('\\u0000')) throw new errors.InvalidRequest('parameters must not contain NUL')
    const grant = kind === 'Grant' ? id : grantId
    const codeHash = userCode === undefined ? null : sha256(userCode)
    const expiresAt = secondsAfter(clock(), expiresIn)
    // The device code is unknown to the user who decides about it: the row was found by its user code.
    const isRow = kind === 'DeviceCode' && id.startsWith(rowPrefix)
    const { rowCount } = await pool.query(
      upsertRow({
        id: isRow ? id.slice(rowPrefix.length) : artifactId(kind, id),
        kind,
        payload: text,
        clientId,
        grantId: grant,
        userCodeHash: codeHash,
        sessionId: sessionUid,
        userId: accountId,
        expiresAt,
      }),
    )
    // Another person has decided about this device.
    if (rowCount === 0) throw new errors.InvalidGrant('already decided')
  }

  async function consume(kind: string, id: string): Promise<void> {
    const { rows } = await pool.query<{ grantId: string | null; isFirst: boolean }>(
      consumeById({ id: artifactId(kind, id), now: clock() }),
    )
    if (rows[0]?.isFirst) return
    // Used twice: the second use may be a theft (RFC 6749, 10.5; RFC 9700, 4.14).
    if (rows[0]?.grantId != null) await revokeGrant(db, rows[0].grantId)
    throw kind === 'PushedAuthorizationRequest' ? new errors.InvalidRequestUri() : new errors.InvalidGrant()
  }

  return (kind) => {
    if (kind === 'Client') return clientsOnly(db)
    // The issuer stores no session of its own: each request reads Foyer's.
    if (kind === 'Session') return none
    return {
      upsert: (id, payload, expiresIn) => upsert(kind, id, payload, expiresIn),
      async find(id) {
        const found = await findRow({ id: artifactId(kind, id) })
        return found && { ...found.payload, jti: id }
      },
      async findByUserCode(userCode) {
        const found = await findRow({ userCodeHash: sha256(userCode) })
        return found && { ...found.payload, userCode, jti: `${rowPrefix}${found.row}` }
      },
      findByUid: () => Promise.resolve(undefined),
      consume: (id) => consume(kind, id),
      async destroy(id) {
        await db.oAuthArtifact.deleteMany({ where: { id: artifactId(kind, id) } })
      },
      revokeByGrantId: (grantId) => revokeGrant(db, grantId),
    }
  }
}

/** As long as the session that an artifact belongs to can be used. */
const findSql = `
  select a.id as row, a.payload, extract(epoch from a."consumedAt")::int as consumed
  from "OAuthArtifact" a left join "Session" s on s.id = a."sessionId" left join "User" u on u.id = s."userId"
  where (a."sessionId" is null or (s."expiresAt" > :now and (u."bannedAt" is null or u."banExpiresAt" <= :now)))`
const findById = statement('artifacts.find.id', `${findSql} and a.id = :id`)
const findByUserCode = statement('artifacts.find.userCodeHash', `${findSql} and a."userCodeHash" = :userCodeHash`)

const consumeById = statement(
  'artifacts.consume',
  `with used as (
    update "OAuthArtifact" set "consumedAt" = :now where id = :id and "consumedAt" is null returning id)
  select "grantId", exists (select from used) as "isFirst" from "OAuthArtifact" where id = :id`,
)

const upsertRow = statement(
  'artifacts.upsert',
  `insert into "OAuthArtifact" as a (id, kind, payload, "clientId", "grantId", "userCodeHash", "sessionId", "userId", "expiresAt")
  values (:id, :kind, :payload, :clientId, :grantId, :userCodeHash, :sessionId, :userId, :expiresAt)
  on conflict (id) do update set payload = excluded.payload, "grantId" = excluded."grantId",
    "sessionId" = coalesce(excluded."sessionId", a."sessionId"), "userId" = coalesce(excluded."userId", a."userId"),
    "expiresAt" = excluded."expiresAt"
  where a.kind <> 'DeviceCode' or not (a.payload ? 'accountId' or a.payload ? 'error')`,
)

/** Revokes a grant with everything that was issued for it. */
async function revokeGrant(db: Deps['db'], grantId: string): Promise<void> {
  await db.oAuthArtifact.deleteMany({ where: { grantId } })
}

const nothing = () => Promise.resolve(undefined)
const none: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

function clientsOnly(db: Deps['db']): Adapter {
  return { ...none, find: (id) => findClient(db, id) }
}

/** The owner of a grant, and whether its session had a second factor when the grant was made. */
export type GrantBinding = {
  userId: string
  sessionId: string
  clientId: string
  organizationId: string | null
  createdWithSecondFactor: boolean
}

/** Row id of a grant, which its tokens contain. */
export function grantRowId(grantId: string): string {
  return artifactId('Grant', grantId)
}

/**
 * Id of the grant of a session for a client, if there is one with the same organization, made with a second factor or
 * without.
 */
export async function findGrantId({ db }: Pick<Deps, 'db'>, owner: GrantBinding): Promise<string | undefined> {
  const found = await db.oAuthArtifact.findFirst({ where: { kind: 'Grant', ...owner }, select: { grantId: true } })
  return found?.grantId ?? undefined
}

/**
 * Binds a new grant to its session, so that it ends with the session. Returns false if its user has removed the
 * application meanwhile.
 */
export async function bindGrant({ db }: Pick<Deps, 'db'>, grantId: string, owner: GrantBinding): Promise<boolean> {
  const { sessionId, organizationId, createdWithSecondFactor } = owner
  // The first session of a grant identifies it permanently, and whether it was made with a second factor.
  const data = { sessionId, organizationId, sid: sessionId, createdWithSecondFactor }
  const { count } = await db.oAuthArtifact.updateMany({ where: { id: grantRowId(grantId) }, data })
  return count === 1
}

/** The words of two texts, each of them once, in this order. */
const unionOf = (one: Prisma.Sql, other: Prisma.Sql) => Prisma.sql`(
  select coalesce(string_agg(word, ' ' order by place), '') from (
    select word, min(place) as place
    from unnest(string_to_array(concat_ws(' ', ${one}, ${other}), ' ')) with ordinality as w(word, place)
    group by word) as words)`

/**
 * Adds permissions to a stored grant, to those that other requests of its session may be adding at the same time.
 * Returns false if the grant has ended meanwhile: it is not stored again.
 */
export async function addToGrant(
  tx: Tx,
  grantId: string,
  { scopes, resources }: { scopes: string[]; resources: string[] },
): Promise<boolean> {
  const added = Prisma.sql`${scopes.join(' ')}::text`
  const count = await tx.$executeRaw`
    update "OAuthArtifact" a set payload = a.payload
      || jsonb_build_object('openid', coalesce(a.payload->'openid', '{}') || jsonb_build_object(
        'scope', ${unionOf(Prisma.sql`a.payload->'openid'->>'scope'`, added)}))
      || jsonb_build_object('resources', coalesce(a.payload->'resources', '{}') || coalesce((
        select jsonb_object_agg(api, ${unionOf(Prisma.sql`a.payload->'resources'->>api`, added)})
        from unnest(${resources}::text[]) as api), '{}'))
    where id = ${grantRowId(grantId)}`
  return count === 1
}

/**
 * The organization that a grant is limited to, the session id in its tokens, and whether it was made with a second
 * factor. Null if it has ended.
 */
export async function findGrant({ db }: Pick<Deps, 'db'>, grantId: string) {
  const where = { id: grantRowId(grantId) }
  const select = { organizationId: true, sid: true, createdWithSecondFactor: true } as const
  const found = await db.oAuthArtifact.findUnique({ where, select })
  return found && { ...found, sid: found.sid ?? undefined }
}

/** Deletes up to `limit` expired artifacts. Returns how many. */
export async function deleteExpiredArtifacts(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "OAuthArtifact" where id in (select id from "OAuthArtifact" where "expiresAt" <= ${now} limit ${limit})`
}
