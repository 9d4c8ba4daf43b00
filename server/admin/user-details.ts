import type { z } from 'zod'
import type { UserDetails } from '../../shared/admin.ts'
import { findRemoval } from '../factor/factor-removals.ts'
import type { Db } from '../foundation/database.ts'
import { withRelation } from '../foundation/lists.ts'
import { listSubscriptionsOf } from './subscriptions.ts'

const maxShown = 100
const maxPayments = 20

/** The sign-in methods, organizations, number of API keys and purchases of a user. */
export async function findUserDetails(db: Db, userId: string): Promise<z.output<typeof UserDetails>> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
  const [accounts, members, apiKeys, subscriptions, payments, passkeys, removal] = await Promise.all([
    db.account.findMany({ where: { userId }, orderBy, take: maxShown, select: { providerId: true, createdAt: true } }),
    db.member.findMany({
      where: { userId },
      orderBy,
      take: maxShown,
      select: { role: true, createdAt: true, organization: { select: { id: true, name: true, slug: true } } },
    }),
    db.apiKey.count({ where: { userId } }),
    listSubscriptionsOf(db, { userId }),
    db.payment.findMany({
      where: { userId },
      orderBy: [{ createdAt: 'desc' }, { paymentId: 'desc' }],
      take: maxPayments,
      select: { paymentId: true, totalAmount: true, currency: true, status: true, createdAt: true },
    }),
    db.passkey.count({ where: { userId } }),
    findRemoval(db, userId),
  ])
  return {
    passkeys,
    twoFactorRemovalAt: removal?.removeAt ?? null,
    accounts: accounts.map(({ providerId, createdAt }) => ({ provider: providerId, createdAt })),
    organizations: withRelation(members, 'organization').map(({ organization, role, createdAt }) => ({
      ...organization,
      role,
      createdAt,
    })),
    apiKeys,
    subscriptions,
    payments: payments.map(({ paymentId: id, totalAmount, ...payment }) => ({
      id,
      amount: Number(totalAmount),
      ...payment,
    })),
  }
}
