import type { z } from 'zod'
import type { Team, TeamsWithMembers } from '../../shared/team.ts'
import { newId } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { afterCursor, maxRows } from '../foundation/lists.ts'

type NewTeam = { name: string; organizationId: string; now: Date }

export async function insertTeam(tx: Tx, { now, ...team }: NewTeam): Promise<Team> {
  return tx.team.create({ data: { id: newId(), ...team, createdAt: now } })
}

/** Finds a team of this organization only (SEC-44). */
export async function findTeam(db: Db, organizationId: string, id: string): Promise<Team | null> {
  return db.team.findFirst({ where: { id, organizationId } })
}

/** Renames a team. Undefined if this organization has no such team. */
export async function updateTeamName(
  tx: Tx,
  organizationId: string,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<Team | undefined> {
  const [team] = await tx.team.updateManyAndReturn({ where: { id, organizationId }, data: { name, updatedAt: now } })
  return team
}

/** Counts the teams. Reliable only under the organization's lock. */
export async function countTeams(tx: Tx, organizationId: string): Promise<number> {
  return tx.team.count({ where: { organizationId } })
}

/** Deletes a team; its members and invitations are kept, without a team. */
export async function deleteTeam(tx: Tx, id: string): Promise<void> {
  await tx.team.delete({ where: { id } })
}

type Page = { organizationId: string; limit?: number | undefined; cursor?: string | undefined }

/** Lists teams in the order in which they were created. */
export async function listTeams(db: Db, { organizationId, limit, cursor }: Page): Promise<Team[]> {
  const from = cursor === undefined ? undefined : await findTeam(db, organizationId, cursor)
  if (from === null) return []
  return db.team.findMany({
    where: { organizationId, ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit ?? maxRows,
  })
}

/** All teams with the number of their members, by name. */
export async function listTeamsWithCounts(db: Db, organizationId: string): Promise<z.output<typeof TeamsWithMembers>> {
  const teams = await db.team.findMany({
    where: { organizationId },
    include: { _count: { select: { members: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: maxRows,
  })
  return teams.map(({ _count, ...team }) => ({ ...team, memberCount: _count.members }))
}
