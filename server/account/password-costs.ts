import type { Pool } from 'pg'
import type { Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'

/** The number of accounts per hash cost, as far as the text of the hash shows it, each with a sample. */
export async function countImported(tx: Tx): Promise<{ sample: string; accounts: number }[]> {
  return tx.$queryRaw`
    select min(password) as sample, count(*)::int as accounts from "Account"
    where password is not null and password not like '$argon2id$v=19$m=19456,t=2,p=1$%'
    group by case
      when password like '$2%' then left(password, 7)
      when password like '$%' then regexp_replace(password, '[$][^$]*[$][^$]*$', '') || length(password)
      else '' end`
}

/** A decoy hash of a cost, the share of addresses that get it, and the part of them that is left. */
export type Decoy = { hash: string; share: number; left: number }

export async function listDecoys(pool: Pool): Promise<Decoy[]> {
  const { rows } = await pool.query<Decoy>(allDecoys({}))
  return rows
}

const allDecoys = statement(
  'accounts.decoys',
  'select hash, share, "left" from "PasswordDecoy" order by place limit 1000',
)
