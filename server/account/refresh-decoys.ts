import type { App } from '../dependencies.ts'
import { decoyOf } from '../foundation/imported-hashes.ts'
import { transaction } from '../foundation/transactions.ts'
import { countImported } from './password-costs.ts'
import { credential } from './users.ts'

/**
 * Counts the costs of imported passwords, and stores a decoy hash for each cost, used for unknown email addresses.
 * Called by imports and by the sweep, because the counts fall as users sign in and receive one of Foyer's own hashes.
 */
export async function refreshDecoys(app: Pick<App, 'db' | 'hasher'>): Promise<void> {
  const groups = (await countImported(app.db)).filter(({ sample }) => !app.hasher.isOwn(sample))
  const before = await app.db.passwordDecoy.findMany()
  if (groups.length === 0 && before.every(({ left }) => left === 0)) return
  const total = await app.db.account.count({ where: { providerId: credential } })
  const shares = new Map<string, { decoy: string; share: number }>()
  for (const { sample, accounts } of groups) {
    const found = decoyOf(sample)
    if (!found) continue
    const { cost, decoy } = found
    shares.set(cost, { decoy, share: (shares.get(cost)?.share ?? 0) + accounts / Math.max(1, total) })
  }
  await transaction(app, async (tx) => {
    for (const { cost, share: largest } of before) {
      const share = shares.get(cost)?.share ?? 0
      const data = share >= largest ? { share, left: share === 0 ? 0 : 1 } : { left: share / largest }
      await tx.passwordDecoy.updateMany({ where: { cost }, data })
      shares.delete(cost)
    }
    const data = [...shares].map(([cost, { decoy, share }]) => ({ cost, hash: decoy, share, left: 1 }))
    await tx.passwordDecoy.createMany({ data, skipDuplicates: true })
  })
}
