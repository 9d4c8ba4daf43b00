import type { RefusalKey } from '../../shared/errors.ts'
import { passwordProblem, type PasswordLength } from '../../shared/account.ts'

/** Shortest password that the default setting allows; the list of common ones starts there. */
const minLength = 8

let common: Promise<ReadonlySet<string>> | undefined

/** Words that everybody would try for this account. */
export type ContextWords = {
  email?: string
  name?: string
  username?: string | null | undefined
  displayUsername?: string | null | undefined
}

/** Why a new password is refused: its length (SEC-01), or because it is among the first that anybody tries (SEC-02). */
export async function newPasswordProblem(
  password: string,
  length: PasswordLength,
  words: ContextWords,
): Promise<RefusalKey | undefined> {
  const problem = passwordProblem(password, length)
  if (problem) return problem
  if (isContextWord(password, words)) return 'PASSWORD_TOO_COMMON'
  common ??= loadCommon()
  return (await common).has(password.toLowerCase()) ? 'PASSWORD_TOO_COMMON' : undefined
}

/** The product, the address or a name, alone or with digits and punctuation around it. */
function isContextWord(password: string, { email = '', name = '', username, displayUsername }: ContextWords): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}]+/gu, '')
  const [local = '', domain = ''] = email.split('@')
  const words = [
    'foyer',
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

/** Passwords by frequency in leaks (zxcvbn's list), loaded at the first need: it takes 3 MB that an idle server can spare. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= minLength))
}
