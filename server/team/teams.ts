import type { Team } from '../../shared/team.ts'
import { newId } from '../foundation/crypto.ts'
import { afterCursor, maxRows, type Tx } from '../foundation/database.ts'

type NewTeam = { name: string; organizationId: string; now: Date }

export async function createTeam(tx: Tx, { now, ...team }: NewTeam): Promise<Team> {
  return tx.team.create({ data: { id: newId(), ...team, createdAt: now } })
}

/** A team of this organization, and of no other one (SEC-44). */
export async function findTeam(tx: Tx, organizationId: string, id: string): Promise<Team | null> {
  return tx.team.findFirst({ where: { id, organizationId } })
}

/** Undefined when there is no such team in this organization. */
export async function renameTeam(
  tx: Tx,
  organizationId: string,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<Team | undefined> {
  const [team] = await tx.team.updateManyAndReturn({ where: { id, organizationId }, data: { name, updatedAt: now } })
  return team
}

/** Meaningful under the organization's lock alone. */
export async function countTeams(tx: Tx, organizationId: string): Promise<number> {
  return tx.team.count({ where: { organizationId } })
}

/** With its row it goes from members and invitations, which stay. */
export async function removeTeam(tx: Tx, id: string): Promise<void> {
  await tx.team.delete({ where: { id } })
}

type Paged = { organizationId: string; limit?: number | undefined; cursor?: string | undefined }

/** In the order in which they were made. */
export async function listTeams(tx: Tx, { organizationId, limit, cursor }: Paged): Promise<Team[]> {
  const from = cursor === undefined ? undefined : await findTeam(tx, organizationId, cursor)
  if (from === null) return []
  return tx.team.findMany({
    where: { organizationId, ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit ?? maxRows,
  })
}
