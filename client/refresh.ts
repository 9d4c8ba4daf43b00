/** One table: a mutation and the queries it makes stale (spec 7). */
export const staleAfter: Readonly<Record<string, readonly string[]>> = {
  'session.signInEmail': ['session.get'],
  'session.signOut': ['session.get'],
  'session.signInUsername': ['session.get'],
  'session.revoke': ['session.devices', 'session.list'],
  'session.revokeOthers': ['session.devices', 'session.list'],
  'account.signUpEmail': ['session.get'],
  'account.update': ['session.get'],
  'account.changeEmail': ['session.get'],
  'account.changePassword': ['session.get', 'session.devices', 'session.list', 'account.listAccounts'],
  'account.unlink': ['account.listAccounts'],
}
