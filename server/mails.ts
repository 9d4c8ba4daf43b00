import { accountMails } from './account/mails.ts'
import { invitationMails } from './invitation/mails.ts'
import { organizationMails } from './organization/mails.ts'
import { paymentMails } from './payment/mails.ts'

/** The wording of every kind of mail, from all rooms. */
export const wordings = { ...accountMails, ...organizationMails, ...invitationMails, ...paymentMails }
