import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { sweep } from './sweep.ts'
import { openApplication, signInTo } from '../testing/applications.ts'
import { founder } from '../testing/organizations.ts'
import { signedIn, signedUp } from '../testing/people.ts'
import { linkTo, openWorld } from '../testing/world.ts'

it('a sweep removes all expired rows, in any number, and nothing else', async () => {
  const world = await openWorld()
  const person = await signedIn(world)
  await world.pool.query(
    `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
     select 's' || n, 's' || n, 's' || n, $1, now() - interval '1 second', now(), now(), true, '', '' from generate_series(1, 1200) n`,
    [person.id],
  )
  await world.pool.query(
    `insert into "Limit" (key, count, "expiresAt") values ('old', 1, now() - interval '1 second'), ('new', 1, now() + interval '1 hour')`,
  )
  await person.browser.post('/delete-user', {})
  await sweep(world.app)
  const counts = async () => [
    await world.db.session.count(),
    await world.db.limit.count(),
    await world.db.verification.count(),
    await world.db.mail.count(),
  ]
  expect(await counts()).toEqual([1, 1, 1, 2])
  world.travel(8 * 86_400)
  await sweep(world.app)
  expect(await counts()).toEqual([0, 0, 0, 2])
  world.travel(23 * 86_400)
  await sweep(world.app)
  expect(await counts()).toEqual([0, 0, 0, 0])
  expect(await world.db.user.count()).toBe(1)
})

it('an account that is older than the retained events counts as used: a reset by its owner keeps it', async () => {
  const world = await openWorld({ EMAIL_VERIFICATION: 'optional', EVENT_RETENTION_DAYS: '30' })
  const person = await signedUp(world)
  await person.browser.post('/sign-out')
  await world.db.user.update({ where: { id: person.id }, data: { metadata: { plan: 'gold' } } })
  world.travel(40 * 86_400)
  await sweep(world.app)
  expect(await world.db.event.count({ where: { subjectId: person.id } })).toBe(0)
  const browser = world.browser()
  await browser.post('/forget-password', { email: person.email, redirectTo: '/reset-password' })
  const token = new URL(await linkTo(world, person.email, 'resetPassword')).pathname.split('/').at(-1)
  const newPassword = 'another long sentence of the owner'
  expect((await browser.post('/reset-password', { newPassword, token })).status).toBe(200)
  const { id, metadata } = await world.db.user.findUniqueOrThrow({ where: { email: person.email } })
  expect({ id, metadata }).toEqual({ id: person.id, metadata: { plan: 'gold' } })
})

it('consents for deleted organizations end with the access that they gave, and no others', async () => {
  const world = await openWorld()
  const owner = await founder(world)
  const { id: organization } = owner.organization
  const [application, other] = [await openApplication(world), await openApplication(world)]
  const scope = 'openid organization offline_access'
  const kept = await signInTo(application, owner.browser, world.origin, { scope })
  const ended = await signInTo(application, owner.browser, world.origin, { scope, organization })
  const only = await signInTo(other, owner.browser, world.origin, { scope, organization })
  const consents = async () =>
    (await world.db.oAuthConsent.findMany({ orderBy: { organizationId: 'asc' } })).map((row) => row.organizationId)
  await sweep(world.app)
  expect(await consents()).toEqual(['', organization, organization])
  expect((await owner.browser.post('/organization/delete', { organizationId: organization })).status).toBe(200)
  await sweep(world.app)
  expect(await consents()).toEqual([''])
  await expect(openid.refreshTokenGrant(application.config, ended.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await expect(openid.refreshTokenGrant(other.config, only.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect((await openid.refreshTokenGrant(application.config, kept.refresh_token ?? '')).access_token).toBeTruthy()
})

it('consents for deleted organizations end in any number', async () => {
  const world = await openWorld()
  const person = await signedIn(world)
  const application = await openApplication(world)
  await world.pool.query(
    `insert into "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", resource, scopes, "createdAt", "lastUsedAt")
     select $1, $2, 'https://app.example.com/' || n, 'gone' || n / 600, '', '{openid}', now(), now() from generate_series(1, 1300) n`,
    [person.id, application.id],
  )
  await sweep(world.app)
  expect(await world.db.oAuthConsent.count()).toBe(0)
})
