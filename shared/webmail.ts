/** Domains of large email providers, with the page of their webmail. */
const mailboxes: Record<string, string> = {
  'gmail.com': 'https://mail.google.com/',
  'googlemail.com': 'https://mail.google.com/',
  'outlook.com': 'https://outlook.live.com/mail/',
  'hotmail.com': 'https://outlook.live.com/mail/',
  'live.com': 'https://outlook.live.com/mail/',
  'msn.com': 'https://outlook.live.com/mail/',
  'yahoo.com': 'https://mail.yahoo.com/',
  'icloud.com': 'https://www.icloud.com/mail/',
  'me.com': 'https://www.icloud.com/mail/',
  'proton.me': 'https://mail.proton.me/',
  'protonmail.com': 'https://mail.proton.me/',
  'fastmail.com': 'https://app.fastmail.com/',
  'aol.com': 'https://mail.aol.com/',
  'gmx.de': 'https://www.gmx.net/',
  'gmx.net': 'https://www.gmx.net/',
  'web.de': 'https://web.de/',
  't-online.de': 'https://email.t-online.de/',
  'orange.fr': 'https://messagerie.orange.fr/',
  'laposte.net': 'https://www.laposte.net/',
  'wp.pl': 'https://poczta.wp.pl/',
  'onet.pl': 'https://poczta.onet.pl/',
  'ukr.net': 'https://mail.ukr.net/',
  'yandex.ru': 'https://mail.yandex.ru/',
  'mail.ru': 'https://e.mail.ru/',
}

/** The webmail page of an email address, if its domain is a well-known one. */
export function webmailUrlOf(email: string): string | undefined {
  return mailboxes[domainOf(email)]
}

/** The email address that was probably meant: a well-known domain that differs by one or two letters. */
export function suggestEmail(email: string): string | undefined {
  const domain = domainOf(email)
  if (domain === '' || domain in mailboxes) return undefined
  const name = email.trim().slice(0, email.trim().lastIndexOf('@'))
  // Short domains differ by only two letters too easily.
  const meant = Object.keys(mailboxes).find((known) => known.length > 7 && editsBetween(domain, known) <= 2)
  return meant === undefined || name === '' ? undefined : `${name}@${meant}`
}

function domainOf(email: string): string {
  return email.trim().toLowerCase().split('@')[1] ?? ''
}

/** Number of edits from one text to another: letters inserted, removed, replaced, or swapped with their neighbor. */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const replaced = (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, swapped, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j] ?? 0) + 1))
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
