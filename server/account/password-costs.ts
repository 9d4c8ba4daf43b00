import type { Pool } from 'pg'
import type { PasswordDecoy } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import { credential } from './users.ts'

/** The number of accounts per hash cost, as far as the text of the hash shows it, each with a sample. */
export async function countImported(db: Db): Promise<{ sample: string; accounts: number }[]> {
  return db.$queryRaw`
    select min(password) as sample, count(*)::int as accounts from "Account"
    where password is not null and password not like '$argon2id$v=19$m=19456,t=2,p=1$%'
    group by case
      when password like '$2%' then left(password, 7)
      when password like '$%' then regexp_replace(password, '[$][^$]*[$][^$]*$', '') || length(password)
      else '' end`
}

/** A decoy hash of a cost, the share of email addresses that get it, and the part of that share that remains. */
export type Decoy = { hash: string; maxShare: number; remainingShare: number }

export async function listDecoys(pool: Pool): Promise<Decoy[]> {
  const { rows } = await pool.query<Decoy>(allDecoys({}))
  return rows
}

const allDecoys = statement(
  'accounts.decoys',
  'select hash, "maxShare", "remainingShare" from "PasswordDecoy" order by position limit 1000',
)

/** All stored decoys with their cost, in no order. */
export async function listDecoysByCost(db: Db): Promise<PasswordDecoy[]> {
  return db.passwordDecoy.findMany()
}

/** Stores decoys of new costs, and the shares of known ones. */
export async function storeDecoys(
  tx: Tx,
  { added, changed }: { added: Omit<PasswordDecoy, 'position'>[]; changed: Map<string, Partial<Decoy>> },
): Promise<void> {
  for (const [cost, data] of changed) await tx.passwordDecoy.updateMany({ where: { cost }, data })
  await tx.passwordDecoy.createMany({ data: added, skipDuplicates: true })
}

/** How many users have a password. */
export async function countPasswords(db: Db): Promise<number> {
  return db.account.count({ where: { providerId: credential } })
}
