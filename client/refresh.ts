/** One table: a mutation and the queries it makes stale (spec 7). */
export const staleAfter: Readonly<Record<string, readonly string[]>> = {
  'session.signInEmail': ['session.get'],
  'session.signOut': ['session.get'],
  'account.signUpEmail': ['session.get'],
}
