import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { type Application, registerApplication, signInTo } from '../testing/applications.ts'
import type { Browser } from '../testing/browser.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser } from '../testing/test-users.ts'
import { sweep } from './sweep.ts'

it('a sweep removes all expired rows, in any number, and nothing else', async () => {
  const testApp = await createTestApp()
  const person = await createUser(testApp)
  await testApp.pool.query(
    `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
     select 's' || n, 's' || n, 's' || n, $1, now() - interval '1 second', now(), now(), true, '', '' from generate_series(1, 1200) n`,
    [person.id],
  )
  await testApp.pool.query(
    `insert into "RateLimitCounter" (key, count, "expiresAt") values ('old', 1, now() - interval '1 second'), ('new', 1, now() + interval '1 hour')`,
  )
  await person.browser.post('/delete-user', {})
  await sweep(testApp.app)
  const counts = async () => [
    await testApp.db.session.count(),
    await testApp.db.rateLimitCounter.count(),
    await testApp.db.verification.count(),
    await testApp.db.mail.count(),
  ]
  expect(await counts()).toEqual([1, 1, 1, 2])
  testApp.advanceClock(8 * 86_400)
  await sweep(testApp.app)
  expect(await counts()).toEqual([0, 0, 0, 2])
  testApp.advanceClock(23 * 86_400)
  await sweep(testApp.app)
  expect(await counts()).toEqual([0, 0, 0, 0])
  expect(await testApp.db.user.count()).toBe(1)
})

it('an account that is older than the retained events counts as used: a reset by its owner keeps it', async () => {
  const testApp = await createTestApp({ EMAIL_VERIFICATION: 'optional', EVENT_RETENTION_DAYS: '30' })
  const person = await createUnverifiedUser(testApp)
  await person.browser.post('/sign-out')
  await testApp.db.user.update({ where: { id: person.id }, data: { metadata: { plan: 'gold' } } })
  testApp.advanceClock(40 * 86_400)
  await sweep(testApp.app)
  expect(await testApp.db.event.count({ where: { subjectId: person.id } })).toBe(0)
  const browser = testApp.browser()
  await browser.post('/forget-password', { email: person.email, redirectTo: '/reset-password' })
  const token = new URL(await emailedLink(testApp, person.email, 'resetPassword')).pathname.split('/').at(-1)
  const newPassword = 'another long sentence of the owner'
  expect((await browser.post('/reset-password', { newPassword, token })).status).toBe(200)
  const { id, metadata } = await testApp.db.user.findUniqueOrThrow({ where: { email: person.email } })
  expect({ id, metadata }).toEqual({ id: person.id, metadata: { plan: 'gold' } })
})

it('consents for deleted organizations end with the access that they gave, and no others', async () => {
  const testApp = await createTestApp({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
  const owner = await createOrganizationOwner(testApp)
  const colleague = await createMember(testApp, owner)
  const { id: organization } = owner.organization
  const notified = { backchannelLogoutUri: 'http://localhost:9/logout' }
  const [application, other] = [
    await registerApplication(testApp, notified),
    await registerApplication(testApp, notified),
  ]
  const scope = 'openid offline_access'
  const signIn = (app: Application, person: { browser: Browser }, more: Record<string, string> = {}) =>
    signInTo(app, person.browser, testApp.origin, { scope, ...more })
  const kept = await signIn(application, owner)
  const ended = [await signIn(application, owner, { organization }), await signIn(other, owner, { organization })]
  // Without an organization, but with permissions that were only agreed to for it.
  await signIn(application, colleague, { organization, scope: 'openid email offline_access' })
  const wide = await signIn(application, colleague, { scope: 'openid email offline_access' })
  const narrow = await signIn(other, colleague)
  await testApp.pool.query(
    `delete from "OAuthConsent" where "userId" = $1 and "clientId" = $2 and "organizationId" = ''`,
    [colleague.id, application.id],
  )
  const consents = () => testApp.db.oAuthConsent.count()
  await sweep(testApp.app)
  expect(await consents()).toBe(5)
  expect((await owner.browser.post('/organization/delete', { organizationId: organization })).status).toBe(200)
  await sweep(testApp.app)
  expect(await consents()).toBe(2)
  const refresh = ({ config }: Application, tokens: { refresh_token?: string }) =>
    openid.refreshTokenGrant(config, tokens.refresh_token ?? '').then(
      () => 'continues',
      ({ error }: { error?: string }) => error,
    )
  const access = [
    await refresh(application, kept),
    await refresh(other, narrow),
    await refresh(application, ended[0] ?? {}),
    await refresh(other, ended[1] ?? {}),
    await refresh(application, wide),
  ]
  expect(access).toEqual(['continues', 'continues', 'invalid_grant', 'invalid_grant', 'invalid_grant'])
  // The first application has another grant in the owner's session.
  const notices = await testApp.db.logoutNotice.findMany({ select: { clientId: true, userId: true } })
  const expected = [
    { clientId: other.id, userId: owner.id },
    { clientId: application.id, userId: colleague.id },
  ]
  expect(notices).toHaveLength(expected.length)
  expect(notices).toEqual(expect.arrayContaining(expected))
})

it('consents for deleted organizations end in any number', async () => {
  const testApp = await createTestApp()
  const person = await createUser(testApp)
  const application = await registerApplication(testApp)
  await testApp.pool.query(
    `insert into "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", resource, scopes, "createdAt", "lastUsedAt")
     select $1, $2, 'https://app.example.com/' || n, 'gone' || n / 600, '', '{openid}', now(), now() from generate_series(1, 1300) n`,
    [person.id, application.id],
  )
  await sweep(testApp.app)
  expect(await testApp.db.oAuthConsent.count()).toBe(0)
})
