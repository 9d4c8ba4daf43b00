import { hasRoleSql } from '../../foundation/member-roles.ts'
import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { displayEmailSql } from '../../foundation/verified-email.ts'
import type { MailRecipient } from '../../mail/mail.ts'
import { billingOwnerColumns, type BillingOwner } from '../billing-owner/billing-owner.ts'

/** Maximum number of an organization's owners that are notified. */
const maxNotified = 20

/** Someone to notify, with the organization that the email is about, if any. */
type Recipient = MailRecipient & { about: string | null; slug: string | null }

/** Whom emails about purchases go to: the user, or the owners of the organization. */
export async function findRecipients(sql: PgTransaction, owner: BillingOwner): Promise<Recipient[]> {
  const { userId, organizationId } = billingOwnerColumns(owner)
  const { rows } = await sql.query<Recipient>(recipientsOfOwner({ userId, organizationId }))
  return rows
}

const recipientsOfOwner = statement(
  'payments.findRecipients',
  `
      select ${displayEmailSql('u')} as email, u.name, u.language, o.name as about, o.slug
      from "User" u left join "Organization" o on o.id = :organizationId
      where u.id = :userId or u.id in (
        select m."userId" from "Member" m where m."organizationId" = :organizationId and ${hasRoleSql('m', 'owner')})
      order by u.id limit ${maxNotified}`,
)
