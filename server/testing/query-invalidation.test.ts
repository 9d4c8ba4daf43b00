import { expect, it } from 'vitest'
import { invalidates } from '../../client/api/refresh.ts'
import { proceduresOf } from '../http/procedures.ts'
import { appRouter } from '../router.ts'

/** Calls whose screen leaves the page, or that change nothing a screen caches. */
const withoutRefresh = new Set([
  // The page reloads as another user.
  'admin.impersonateUser',
  'admin.stopImpersonating',
  // Queries that are a POST in the plugin.
  'admin.listUserSessions',
  'admin.hasPermission',
  // Shown once. The list contains no secrets.
  'admin.replaceClientSecret',
  'account.claim',
  'account.confirmVerification',
  'account.delete',
  'account.forgetPassword',
  'account.linkSocial',
  'account.readVerification',
  'account.refreshToken',
  'account.rejectVerification',
  'account.resetPassword',
  'account.sendVerificationEmail',
  'invitation.joinByLink',
  'invitation.readByLink',
  'session.readMagicLink',
  'organization.checkSlug',
  'organization.hasPermission',
  'account.accessToken',
  // Shows the requesting program, and changes nothing.
  'oauth.device',
  'payment.activateLicense',
  'payment.checkoutLink',
  'payment.createCheckout',
  'payment.deactivateLicense',
  'payment.portal',
  'payment.updatePaymentMethod',
  'payment.validateLicense',
  'session.reauthenticateSocial',
  'session.revokeAll',
  'session.sendEmailCode',
  'session.signInMagicLink',
  'session.forgetPasswordCode',
  'session.resetPasswordCode',
  'session.sendReauthenticationCode',
  'session.signInSocial',
])

it('every mutation is in the table of queries to invalidate, or in the list of those that invalidate none', () => {
  const mutations = proceduresOf(appRouter).flatMap(({ name, isQuery }) => (isQuery ? [] : [name]))
  const listed = Object.keys(invalidates)
  expect(mutations.filter((path) => !listed.includes(path) && !withoutRefresh.has(path))).toEqual([])
  expect([...withoutRefresh].filter((path) => !mutations.includes(path) || listed.includes(path))).toEqual([])
})
