import type { z } from 'zod'
import type { UserDetails } from '../../shared/admin.ts'
import type { Tx } from '../foundation/database.ts'

const maxShown = 100

/** The ways to sign in, the organizations and the number of API keys of a user. */
export async function findUserDetails(tx: Tx, userId: string): Promise<z.output<typeof UserDetails>> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
  const [accounts, members, apiKeys] = await Promise.all([
    tx.account.findMany({ where: { userId }, orderBy, take: maxShown, select: { providerId: true, createdAt: true } }),
    tx.member.findMany({
      where: { userId },
      orderBy,
      take: maxShown,
      select: { role: true, createdAt: true, organization: { select: { id: true, name: true, slug: true } } },
    }),
    tx.apiKey.count({ where: { userId } }),
  ])
  return {
    accounts: accounts.map(({ providerId, createdAt }) => ({ provider: providerId, createdAt })),
    organizations: members.map(({ organization, role, createdAt }) => ({ ...organization, role, createdAt })),
    apiKeys,
  }
}
