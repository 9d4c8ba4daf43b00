import type { Brand } from '../../shared/brand.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { type PasswordLength, passwordProblem } from '../../shared/identity.ts'

/** Minimum password length by default; shorter entries are dropped from the list of common passwords. */
const minLength = 8

let common: Promise<ReadonlySet<string>> | undefined

/** Words related to the account that an attacker would try first. */
type ContextWords = {
  email?: string
  name?: string
  username?: string | null | undefined
  displayUsername?: string | null | undefined
}

/** Returns why a new password is rejected: its length (SEC-01), or because it is easy to guess (SEC-02). */
export async function newPasswordProblem(
  password: string,
  { passwordLength, brand }: { passwordLength: PasswordLength; brand: Pick<Brand, 'product'> },
  words: ContextWords,
): Promise<RefusalKey | undefined> {
  const problem = passwordProblem(password, passwordLength)
  if (problem) return problem
  if (isContextWord(password, { ...words, product: brand.product })) return 'PASSWORD_TOO_COMMON'
  common ??= loadCommon()
  return (await common).has(password.toLowerCase()) ? 'PASSWORD_TOO_COMMON' : undefined
}

/** Matches the product name, the email address or a name, alone or surrounded by digits and punctuation. */
function isContextWord(
  password: string,
  { product, email = '', name = '', username, displayUsername }: ContextWords & { product: string },
): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}]+/gu, '')
  const [local = '', domain = ''] = email.split('@')
  const words = [
    product,
    ...product.split(' '),
    email,
    local,
    domain,
    domain.split('.')[0] ?? '',
    name,
    ...name.split(' '),
    username ?? '',
    displayUsername ?? '',
  ]
  const typed = password.toLowerCase()
  if (words.some((word) => word !== '' && word.toLowerCase() === typed)) return true
  const bareWords = words.map(bare).filter((word) => word.length > 2)
  const core = bare(password)
  const isWord = bareWords.includes(core) || bareWords.some((word) => core === word + word)
  return isWord && password.length < core.length + 8
}

/** Loads passwords by frequency in leaks (zxcvbn's list) on first use, which saves 3 MB of memory until then. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength))
}
