import { accountMails } from './account/mails.ts'

/** The wording of every kind of mail, from all rooms. */
export const wordings = { ...accountMails }
