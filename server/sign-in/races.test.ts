import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdminCommand } from '../admin/command.ts'
import { startEmulator, providerSettings, providerUser } from '../testing/emulator.ts'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, createInvitation, createMember, newSlug } from '../testing/organizations.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  password,
  createUser,
  signInElsewhere,
  newUserData,
  type TestUser,
} from '../testing/test-users.ts'

/**
 * Two concurrent calls in a deterministic order: the test holds a row lock that blocks the first call until the second
 * has been sent, so that a rare race occurs in every run.
 */
const emulator = await startEmulator()
beforeAll(() => emulator.install())
afterAll(() => emulator.uninstall())

const own = 'a sentence that only the owner knows'
const boss = 'boss@example.test'

async function tokenOf(testApp: TestApp, email: string, kind: string): Promise<string> {
  const url = new URL(await emailedLink(testApp, email, kind))
  return url.searchParams.get('token') ?? url.pathname.split('/').at(-1) ?? ''
}

const lockOfUser = 'select 1 from "User" where id = $1 for update'

describe('a change of email address', () => {
  it('from a stolen session loses against an earlier password reset by the owner', async () => {
    const testApp = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const victim = await createUser(testApp)
    const thief = victim.browser.copy()
    await testApp.browser().post('/forget-password', { email: victim.email })
    const token = await tokenOf(testApp, victim.email, 'resetPassword')
    const mine = newUserData().email
    const [reset, change] = await withRowLock(testApp, lockOfUser, [victim.id], async (release) => {
      const reset = testApp.browser().post('/reset-password', { token, newPassword: own })
      await untilWaiting(testApp, 1)
      const change = thief.post('/change-email', { newEmail: mine })
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([reset, change])
    })
    expect([reset.status, change.status]).toEqual([200, 401])
    expect(await testApp.db.user.count({ where: { email: mine } })).toBe(0)
  })

  it('is decided under the lock: an address verified meanwhile needs its owner’s confirmation', async () => {
    const testApp = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createUser(testApp)
    const link = await emailedLink(testApp, person.email, 'verifyEmail')
    const other = newUserData().email
    const [verified, change] = await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const verified = person.browser.get(link)
      await untilWaiting(testApp, 1)
      const change = person.browser.post('/change-email', { newEmail: other })
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([verified, change])
    })
    expect([verified.status, change.status]).toEqual([302, 200])
    // The current email address is verified now, so nothing changes before its owner confirms.
    const row = await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })
    expect([row.email, row.emailVerified]).toEqual([person.email, true])
    expect((await testApp.mails(person.email))[0]?.kind).toBe('confirmEmailChange')
  })

  it('confirmed from a former address of the account has no effect', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    const [first, second] = [newUserData().email, newUserData().email]
    await person.browser.post('/change-email', { newEmail: first })
    const agreed = await emailedLink(testApp, person.email, 'confirmEmailChange')
    const secret = await testApp.db.verification.findFirstOrThrow({ where: { value: person.email } })
    await person.browser.get(agreed)
    await person.browser.get(await emailedLink(testApp, first, 'verifyEmail'))
    // A change voids all tokens of the user, except one stored concurrently.
    await testApp.db.verification.create({ data: secret })
    await person.browser.post('/change-email', { newEmail: second })
    await testApp.db.user.update({
      where: { id: person.id },
      data: { email: person.email, previousEmail: first, emailVerified: false },
    })
    const answer = await person.browser.get(agreed)
    expect(answer.location).toContain('error=invalid_token')
  })
})

describe('a promotion concurrent with a provider callback', () => {
  /** Completes the provider's consent; only the callback request is left to send. */
  async function consentedCallback(testApp: TestApp, email: string) {
    const browser = testApp.browser()
    const { body } = await browser.post('/sign-in/social', {
      provider: 'gitlab',
      callbackURL: '/',
      errorCallbackURL: '/',
    })
    const who = { ...providerUser(), email, verified: true }
    return { browser, callback: emulator.consent(body.url, who).callback.href }
  }

  async function createAdministrator(testApp: TestApp): Promise<TestUser> {
    const browser = testApp.browser()
    const { body } = await browser.post('/sign-up/email', { name: 'Boss', email: boss, password })
    await browser.get(await emailedLink(testApp, boss, 'verifyEmail'))
    return { email: boss, name: 'Boss', password, browser, id: body.user.id }
  }

  it('a grant leaves neither an identity nor a session of the provider', async () => {
    const testApp = await createTestApp(providerSettings)
    const person = await createAdministrator(testApp)
    const { browser, callback } = await consentedCallback(testApp, boss)
    const [outcome] = await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const arriving = browser.get(callback)
      await untilWaiting(testApp, 1)
      const granting = runAdminCommand(testApp.app, ['grant', boss])
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([granting, arriving])
    })
    expect(outcome.lines).toEqual([`${boss} is now an administrator.`])
    expect(await testApp.db.account.count({ where: { userId: person.id, providerId: 'gitlab' } })).toBe(0)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(0)
  })

  it('a session started by an identity while it is unlinked is ended', async () => {
    const testApp = await createTestApp(providerSettings)
    const person = await createAdministrator(testApp)
    const first = await consentedCallback(testApp, boss)
    await first.browser.get(first.callback)
    const identity = await testApp.db.account.findFirstOrThrow({ where: { providerId: 'gitlab' } })
    // Same order as when starting a session: lock the identity, insert the session, commit.
    const values = [identity.id]
    const outcome = await withRowLock(
      testApp,
      'select 1 from "Account" where id = $1 for share',
      values,
      async (release) => {
        const granting = runAdminCommand(testApp.app, ['grant', boss])
        await untilWaiting(testApp, 1)
        const at = new Date()
        const late = { token: 'late', tokenHash: 'late', expiresAt: new Date(at.getTime() + 60_000), remembered: true }
        const row = { id: 'late', ...late, createdAt: at, updatedAt: at, ipAddress: '', userAgent: '' }
        await testApp.db.session.create({ data: { ...row, userId: person.id } })
        await release()
        return granting
      },
    )
    expect(outcome.status).toBe(0)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(0)
  })

  it('a revocation concurrent with a promotion is not lost', async () => {
    const testApp = await createTestApp({ ADMIN_EMAILS: boss })
    const person = await createAdministrator(testApp)
    await testApp.db.user.update({ where: { id: person.id }, data: { role: 'user' } })
    const [, session] = await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const revoking = runAdminCommand(testApp.app, ['revoke', boss])
      await untilWaiting(testApp, 1)
      const signingIn = signInElsewhere(testApp, person)
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([revoking, signingIn])
    })
    expect((await session.get('/get-session')).body.user.role).toBe('user')
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).role).toBe('user')
  })

  it('a revocation applies to former addresses; a grant lifts only that of its own address', async () => {
    const testApp = await createTestApp({ ADMIN_EMAILS: boss })
    const person = await createUser(testApp)
    await runAdminCommand(testApp.app, ['grant', person.email])
    const left = person.email
    const browser = await signInElsewhere(testApp, person)
    const next = newUserData().email
    await browser.post('/change-email', { newEmail: next })
    await browser.get(await emailedLink(testApp, left, 'confirmEmailChange'))
    await browser.get(await emailedLink(testApp, next, 'verifyEmail'))
    await runAdminCommand(testApp.app, ['revoke', next])
    const revoked = await testApp.db.revokedAdministrator.findMany({ orderBy: { email: 'asc' } })
    expect(revoked.map(({ email }) => email)).toEqual([left, next].toSorted())
    await runAdminCommand(testApp.app, ['grant', next])
    expect((await testApp.db.revokedAdministrator.findMany()).map(({ email }) => email)).toEqual([left])
  })
})

describe('times', () => {
  it('are UTC in a database with another time zone', async () => {
    const testApp = await createTestApp()
    await testApp.admin.query(`alter database ${testApp.databaseName} set timezone = 'America/New_York'`)
    await testApp.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [testApp.databaseName],
    )
    // The pool notices the lost connections when it uses them.
    while (!(await testApp.pool.query('select 1').catch(() => undefined)));
    const before = Date.now()
    const person = await createUser(testApp)
    const { rows } = await testApp.pool.query<{ ms: string }>(
      `select extract(epoch from "createdAt") * 1000 as ms from "Verification" union all
       select extract(epoch from "createdAt") * 1000 from "Session" where "userId" = $1`,
      [person.id],
    )
    for (const { ms } of rows) expect(Math.abs(Number(ms) - before)).toBeLessThan(600_000)
    await person.browser.post('/update-user', { name: 'Grace' })
    const [row] = (await testApp.pool.query(`select "updatedAt" from "User" where id = $1`, [person.id])).rows
    expect(Math.abs(row.updatedAt.getTime() - before)).toBeLessThan(600_000)
  })
})

describe('a password reset', () => {
  it('of an account that an attacker prepared does not keep the attacker’s name', async () => {
    const testApp = await createTestApp()
    const { email } = newUserData()
    await testApp.browser().post('/sign-up/email', { name: 'Your Bank', email, password })
    const owner = testApp.browser()
    await owner.post('/forget-password', { email })
    const token = await tokenOf(testApp, email, 'resetPassword')
    expect((await owner.post('/reset-password', { token, newPassword: own })).status).toBe(200)
    const { name } = await testApp.db.user.findUniqueOrThrow({ where: { email } })
    expect(name).toBe(email.split('@')[0])
  })
})

describe('decisions under the lock', () => {
  it('a deletion with the former password loses against an earlier password reset', async () => {
    const testApp = await createTestApp()
    const victim = await createUser(testApp)
    await testApp.browser().post('/forget-password', { email: victim.email })
    const token = await tokenOf(testApp, victim.email, 'resetPassword')
    const [reset, deletion] = await withRowLock(testApp, lockOfUser, [victim.id], async (release) => {
      const reset = testApp.browser().post('/reset-password', { token, newPassword: own })
      await untilWaiting(testApp, 1)
      const deletion = victim.browser.copy().post('/delete-user', { password })
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([reset, deletion])
    })
    expect([reset.status, deletion.status]).toEqual([200, 401])
    expect(await testApp.db.user.count({ where: { id: victim.id } })).toBe(1)
  })

  it('unlinking loses against an earlier end of the session', async () => {
    const testApp = await createTestApp({ ALLOW_UNLINK_LAST_ACCOUNT: 'on' })
    const victim = await createUser(testApp)
    const sessions = 'select 1 from "User" where id = $1 for update'
    const answer = await withRowLock(testApp, sessions, [victim.id], async (release) => {
      const unlinking = victim.browser.post('/unlink-account', { providerId: 'credential' })
      await untilWaiting(testApp, 1)
      await testApp.db.session.deleteMany({ where: { userId: victim.id } })
      await release()
      return unlinking
    })
    expect(answer.status).toBe(401)
    expect(await testApp.db.account.count({ where: { userId: victim.id } })).toBe(1)
  })

  it('changes to an organization lose against an earlier removal of the acting member', async () => {
    const testApp = await createTestApp()
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const team = (await owner.browser.post('/organization/create-team', { name: 'Blue', organizationId })).body
    const changes: [string, (invitationId: string) => object][] = [
      ['/organization/update', () => ({ organizationId, data: { name: 'Taken' } })],
      ['/organization/update-team', () => ({ teamId: team.id, data: { name: 'Taken' }, organizationId })],
      ['/organization/cancel-invitation', (invitationId) => ({ invitationId })],
    ]
    const lock = 'select 1 from "Organization" where id = $1 for update'
    for (const [path, body] of changes) {
      const admin = await createMember(testApp, owner, 'admin')
      const invitationId = await createInvitation(owner, newUserData().email)
      await admin.browser.post('/organization/set-active', { organizationId })
      const answer = await withRowLock(testApp, lock, [organizationId], async (release) => {
        const change = admin.browser.post(path, body(invitationId))
        await untilWaiting(testApp, 1)
        await testApp.db.member.deleteMany({ where: { userId: admin.id } })
        await release()
        return change
      })
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
    }
    expect(await testApp.db.organization.findUniqueOrThrow({ where: { id: organizationId } })).toMatchObject({
      name: 'Acme',
    })
    expect(await testApp.db.team.count({ where: { name: 'Taken' } })).toBe(0)
    expect(await testApp.db.invitation.count({ where: { organizationId, status: 'canceled' } })).toBe(0)
  })

  it('a deletion concurrent with a sign-in of the same user causes no deadlock', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    // A sign-in locks the sign-in method, and then the user for its new session.
    const signIn = new Client({ connectionString: testApp.databaseUrl })
    await signIn.connect()
    await signIn.query('begin')
    await signIn.query('select 1 from "Account" where "userId" = $1 for share', [person.id])
    const deletion = person.browser.post('/delete-user', { password })
    await untilWaiting(testApp, 1)
    await signIn.query('select 1 from "User" where id = $1 for key share', [person.id])
    await signIn.query('commit')
    await signIn.end()
    expect((await deletion).status).toBe(200)
  })

  it('no organization is left without a member when its founder is deleted concurrently', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    const accounts = 'select 1 from "Account" where "userId" = $1 for update'
    await withRowLock(testApp, accounts, [person.id], async (release) => {
      // The deletion has checked the organizations, and waits for the sign-in methods.
      const deletion = person.browser.copy().post('/delete-user', { password })
      await untilWaiting(testApp, 1)
      const creation = person.browser.post('/organization/create', { name: 'Left', slug: newSlug() })
      await Promise.race([creation, untilWaiting(testApp, 2)])
      await release()
      return Promise.all([deletion, creation])
    })
    expect(await testApp.db.user.count({ where: { id: person.id } })).toBe(0)
    expect(await testApp.db.organization.count({ where: { members: { none: {} } } })).toBe(0)
  })
})

describe('a sign-in by email', () => {
  async function byCode() {
    const testApp = await createTestApp()
    const admin = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await browser.post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    const [otp] = /\b\d{6}\b/.exec((await testApp.mails(person.email))[0]?.text ?? '') ?? []
    const signIn = () => browser.post('/sign-in/email-otp', { email: person.email, otp })
    const reset = () => admin.browser.post('/admin/set-user-password', { userId: person.id, newPassword: own })
    return { testApp, person, browser, signIn, reset }
  }

  it('does not survive a new password that is set before its session is stored: a code', async () => {
    const { testApp, person, browser, signIn, reset } = await byCode()
    const [, changed] = await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const signingIn = signIn()
      await untilWaiting(testApp, 1)
      const changing = reset()
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([signingIn, changing])
    })
    expect(changed.status).toBe(200)
    expect((await browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })

  it('and a new password do not block each other', async () => {
    const { testApp, person, signIn, reset } = await byCode()
    const answers = await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const changing = reset()
      await untilWaiting(testApp, 1)
      const signingIn = signIn()
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([changing, signingIn])
    })
    // The new password has voided the code.
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })

  it('does not survive a new password that is set before its session is stored: a magic link', async () => {
    const testApp = await createTestApp()
    const admin = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await browser.post('/sign-in/magic-link', { email: person.email, callbackURL: '/' })
    const link = await emailedLink(testApp, person.email)
    await withRowLock(testApp, lockOfUser, [person.id], async (release) => {
      const following = browser.get(link)
      await untilWaiting(testApp, 1)
      const changing = admin.browser.post('/admin/set-user-password', { userId: person.id, newPassword: own })
      await untilWaiting(testApp, 2)
      await release()
      return Promise.all([following, changing])
    })
    expect((await browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })
})
