import type { App } from '../dependencies.ts'
import { decoyOf } from '../foundation/imported-hashes.ts'
import { transaction } from '../foundation/transactions.ts'
import { countImported, countPasswords, type Decoy, listDecoysByCost, storeDecoys } from './password-costs.ts'

/**
 * Counts the costs of imported passwords, and stores a decoy hash for each cost, used for unknown email addresses.
 * Called by imports and by the sweep, because the counts fall as users sign in and receive one of Foyer's own hashes.
 */
export async function refreshDecoys(app: Pick<App, 'db' | 'hasher'>): Promise<void> {
  const groups = (await countImported(app.db)).filter(({ sample }) => !app.hasher.hasCurrentParameters(sample))
  const before = await listDecoysByCost(app.db)
  if (groups.length === 0 && before.every(({ remainingShare }) => remainingShare === 0)) return
  const total = await countPasswords(app.db)
  const shares = new Map<string, { decoy: string; share: number }>()
  for (const { sample, accounts } of groups) {
    const found = decoyOf(sample)
    if (!found) continue
    const { cost, decoy } = found
    shares.set(cost, { decoy, share: (shares.get(cost)?.share ?? 0) + accounts / Math.max(1, total) })
  }
  const changed = new Map<string, Partial<Decoy>>()
  for (const { cost, maxShare } of before) {
    const share = shares.get(cost)?.share ?? 0
    changed.set(
      cost,
      share >= maxShare
        ? { maxShare: share, remainingShare: share === 0 ? 0 : 1 }
        : { remainingShare: share / maxShare },
    )
    shares.delete(cost)
  }
  const added = [...shares].map(([cost, { decoy, share }]) => ({
    cost,
    hash: decoy,
    maxShare: share,
    remainingShare: 1,
  }))
  await transaction(app, (tx) => storeDecoys(tx, { added, changed }))
}
