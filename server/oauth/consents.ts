import type { Tx } from '../foundation/database.ts'

/** A user and an application. */
type Connection = { userId: string; clientId: string }

/** Whether the user has allowed an application to read all of this. */
export async function hasConsented(tx: Tx, { userId, clientId }: Connection, scopes: string[]): Promise<boolean> {
  const consent = await tx.oAuthConsent.findUnique({ where: { userId_clientId: { userId, clientId } } })
  return consent !== null && scopes.every((scope) => consent.scopes.includes(scope))
}

/** Notes that the user has connected an application, and what it may read. Returns whether it is new. */
export async function noteConsent(tx: Tx, of: Connection, { scopes, now }: { scopes: string[]; now: Date }) {
  const { userId, clientId } = of
  const rows = await tx.$queryRaw<{ isNew: boolean }[]>`
    insert into "OAuthConsent" as c ("userId", "clientId", scopes, "createdAt", "lastUsedAt")
    values (${userId}, ${clientId}, ${scopes}, ${now}, ${now})
    on conflict ("userId", "clientId") do update set "lastUsedAt" = excluded."lastUsedAt",
      scopes = array(select distinct unnest(c.scopes || excluded.scopes) order by 1)
    returning c."createdAt" = ${now} as "isNew"`
  return rows[0]?.isNew ?? false
}

/** The applications that a user has connected, the one used last first. */
export async function listConnectedApps(tx: Tx, userId: string) {
  const rows = await tx.oAuthConsent.findMany({
    where: { userId },
    include: { client: { select: { name: true, logo: true, isFirstParty: true } } },
    orderBy: [{ lastUsedAt: 'desc' }, { clientId: 'asc' }],
    take: 200,
  })
  return rows.map(({ client, clientId, scopes, createdAt, lastUsedAt }) => ({
    clientId,
    ...client,
    scopes,
    createdAt,
    lastUsedAt,
  }))
}
