import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createInvitation, newSlug } from '../testing/organizations.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { password, createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'

/**
 * Account pre-hijacking: an attacker signs up with another person's email address, and the mailbox owner recovers it.
 */
const testApp = await createTestApp()
const own = 'a sentence that only the owner knows'

/** The token of the newest verification link to an email address. */
async function tokenFor(testApp: TestApp, email: string): Promise<string> {
  return new URL(await emailedLink(testApp, email, 'verifyEmail')).searchParams.get('token') ?? ''
}

describe('an address that an attacker has signed up with (SEC-110)', () => {
  it('goes to its owner: the link of the second sign-up asks, and nothing of the stranger is kept', async () => {
    const thief = await createUnverifiedUser(testApp, { username: `thief_${Date.now()}` })
    const owner = testApp.browser()
    const again = { name: 'Owner', email: thief.email, password: own }
    expect((await owner.post('/sign-up/email', again)).body.token).toBeNull()
    await owner.post('/send-verification-email', { email: thief.email })
    const { location } = await owner.get(await emailedLink(testApp, thief.email, 'verifyEmail'))
    expect(location).toMatch(/^\/verify\?token=/)
    // Opening the link, by the owner or by an email scanner, does not verify the account.
    expect((await thief.browser.post('/sign-in/email', { email: thief.email, password })).status).toBe(403)

    const token = await tokenFor(testApp, thief.email)
    const read = await owner.post('/verify-email/read', { token })
    expect(read.body).toEqual({ email: thief.email, name: 'Ada Lovelace', kind: 'sign_up', isMine: false })
    const claimed = await owner.post('/verify-email/claim', { token, name: 'Owner', password: own })
    expect(claimed.status).toBe(200)
    const { user } = (await owner.get('/get-session')).body
    expect(user).toMatchObject({ name: 'Owner', email: thief.email, emailVerified: true, username: null, image: null })
    expect(user.id).not.toBe(thief.id)
    expect((await thief.browser.post('/sign-in/email', { email: thief.email, password })).status).toBe(401)
    expect((await testApp.browser().post('/sign-in/email', { email: thief.email, password: own })).status).toBe(200)
    // A used link redirects to the page, and cannot be used to claim the account again.
    expect((await owner.post('/verify-email/claim', { token, name: 'X', password: own })).body.code).toBe(
      'USER_NOT_FOUND',
    )
  })

  it('signing up with an unverified address sends the mailbox owner the link', async () => {
    const thief = await createUnverifiedUser(testApp)
    await testApp.browser().post('/sign-up/email', { ...newUserData(), email: thief.email })
    const mails = await testApp.mails(thief.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['verifyEmail', 'verifyEmail'])
  })

  it('with EMAIL_VERIFICATION=optional sessions, identities, memberships and organizations of the stranger are deleted', async () => {
    const optional = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const victim = newUserData()
    const thief = optional.browser()
    const { body } = await thief.post('/sign-up/email', { ...victim, image: 'https://evil.test/a.png' })
    const userId: string = body.user.id
    await optional.db.account.create({
      data: { id: 'own', providerId: 'gitlab', accountId: '666', userId, createdAt: new Date(), updatedAt: new Date() },
    })
    await thief.post('/organization/create', { name: 'Alone', slug: newSlug() })
    const shared = (await thief.post('/organization/create', { name: 'Shared', slug: newSlug() })).body
    const friend = await createUser(optional)
    await friend.browser.get(await emailedLink(optional, friend.email, 'verifyEmail'))
    const invite = { email: friend.email, role: 'member', organizationId: shared.id }
    const invitation = await thief.post('/organization/invite-member', invite)
    await friend.browser.post('/organization/accept-invitation', { invitationId: invitation.body.id })
    await thief.post('/organization/invite-member', { ...invite, email: newUserData().email })

    const owner = optional.browser()
    const token = await tokenFor(optional, victim.email)
    expect((await owner.post('/verify-email/claim', { token, name: 'Owner', password: own })).status).toBe(200)
    expect((await thief.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await thief.post('/sign-in/email', victim)).status).toBe(401)
    expect((await owner.get('/organization/list')).body).toEqual([])
    expect((await owner.get('/list-accounts')).body.map((one: { provider: string }) => one.provider)).toEqual([
      'credential',
    ])
    expect(await optional.db.user.findUnique({ where: { id: userId } })).toBeNull()
    // An organization with another owner is kept.
    expect(await optional.db.organization.findMany({ select: { name: true } })).toEqual([{ name: 'Shared' }])
    const members = await optional.db.member.findMany({ where: { organizationId: shared.id } })
    expect(members).toMatchObject([{ userId: friend.id, role: 'owner' }])
    expect((await optional.mails(friend.email))[0]?.kind).toBe('ownershipReceived')
  })

  it('"I did not sign up" deletes the account and frees the address', async () => {
    const thief = await createUnverifiedUser(testApp)
    const token = await tokenFor(testApp, thief.email)
    expect((await testApp.browser().post('/verify-email/reject', { token })).body).toEqual({ status: true })
    expect(await testApp.db.user.findUnique({ where: { id: thief.id } })).toBeNull()
    expect((await testApp.browser().post('/verify-email/reject', { token })).body.code).toBe('USER_NOT_FOUND')
  })

  it('of twenty concurrent claims one succeeds, also against a verification in the sign-up browser', async () => {
    const person = await createUnverifiedUser(testApp)
    const token = await tokenFor(testApp, person.email)
    const claims = Array.from({ length: 20 }, () =>
      testApp.browser().post('/verify-email/claim', { token, name: 'Owner', password: own }),
    )
    const [click, ...answers] = await Promise.all([
      person.browser.get(await emailedLink(testApp, person.email, 'verifyEmail')),
      ...claims,
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.every((status) => [200, 400, 401, 422].includes(status))).toBe(true)
    expect([302, 400, 401]).toContain(click.status)
    const users = await testApp.db.user.findMany({ where: { email: person.email } })
    expect(users).toHaveLength(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(users[0]?.id === person.id ? 0 : 1)
  })

  it('an expired, foreign or forged link is refused with a message, and so is a common password', async () => {
    const person = await createUnverifiedUser(testApp)
    const token = await tokenFor(testApp, person.email)
    const claim = (more: object) =>
      testApp.browser().post('/verify-email/claim', { token, name: 'Owner', password: own, ...more })
    expect((await claim({ token: 'x' })).body).toEqual({ code: 'INVALID_TOKEN', message: 'invalid_token' })
    expect((await claim({ password: 'password' })).body.code).toBe('PASSWORD_TOO_COMMON')
    const late = await createTestApp({ VERIFICATION_TOKEN_LIFETIME: '60' })
    const other = await createUnverifiedUser(late)
    const old = await tokenFor(late, other.email)
    late.advanceClock(61)
    expect((await late.browser().post('/verify-email/read', { token: old })).body.code).toBe('TOKEN_EXPIRED')
  })

  it('a claim does not lift a ban', async () => {
    const person = await createUnverifiedUser(testApp)
    await testApp.db.user.update({ where: { id: person.id }, data: { bannedAt: new Date() } })
    const token = await tokenFor(testApp, person.email)
    const claim = await testApp.browser().post('/verify-email/claim', { token, name: 'X', password: own })
    expect(claim.body).toEqual({ code: 'BANNED_USER', message: expect.stringContaining('You have been banned') })
  })
})

describe('a change of email address', () => {
  async function changed() {
    const person = await createUser(testApp)
    const { email } = newUserData()
    await person.browser.post('/change-email', { newEmail: email })
    await person.browser.get(await emailedLink(testApp, person.email, 'confirmEmailChange'))
    return { person, email }
  }

  it('the owner of a mistyped address can free it, without access to the account', async () => {
    const { person, email } = await changed()
    const token = await tokenFor(testApp, email)
    const other = testApp.browser()
    expect((await other.post('/verify-email/read', { token })).body).toMatchObject({ email, kind: 'change' })
    // A password reset through the new mailbox would give access to the whole account.
    await other.post('/forget-password', { email })
    expect((await testApp.mails(email)).map(({ kind }) => kind)).not.toContain('resetPassword')
    expect((await other.post('/verify-email/reject', { token })).status).toBe(200)
    expect(await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({
      email: person.email,
      emailVerified: true,
      previousEmail: null,
    })
    expect((await testApp.mails(person.email))[0]).toMatchObject({ kind: 'emailChangeRejected' })
  })

  it('the owner of a mistyped address can sign up with it immediately, and the account that took it reverts', async () => {
    const { person, email } = await changed()
    const token = await tokenFor(testApp, email)
    const other = testApp.browser()
    const claimed = await other.post('/verify-email/claim', { token, name: 'Owner', password: own })
    expect([claimed.status, claimed.body.user.email]).toEqual([200, email])
    expect(claimed.body.user.id).not.toBe(person.id)
    expect((await other.get('/get-session')).body.user).toMatchObject({ email, name: 'Owner', emailVerified: true })
    expect(await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({
      email: person.email,
      previousEmail: null,
    })
    // The former link is invalid now.
    expect((await person.browser.post('/verify-email/confirm', { token })).status).not.toBe(200)
  })

  it('the last verified address can recover the account and revert the change', async () => {
    const { person, email } = await changed()
    await testApp.browser().post('/forget-password', { email: person.email })
    const token = new URL(await emailedLink(testApp, person.email, 'resetPassword')).pathname.split('/').at(-1)
    expect((await testApp.browser().post('/reset-password', { token, newPassword: own })).status).toBe(200)
    expect((await testApp.browser().post('/sign-in/email', { email: person.email, password: own })).status).toBe(200)
    expect(await testApp.db.user.findUnique({ where: { email } })).toBeNull()
  })

  it('others see the last verified address until the new one is verified (SEC-121)', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { email } = newUserData()
    await owner.browser.post('/change-email', { newEmail: email })
    await owner.browser.get(await emailedLink(testApp, owner.email, 'confirmEmailChange'))
    const shown = async () => {
      const { body } = await owner.browser.get('/organization/get-full-organization')
      return body.members[0].user.email
    }
    expect(await shown()).toBe(owner.email)
    await owner.browser.get(await emailedLink(testApp, email, 'verifyEmail'))
    expect(await shown()).toBe(email)
  })

  it('an address that was never verified is flagged for others', async () => {
    const optional = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const owner = await createOrganizationOwner(optional)
    const { body } = await owner.browser.get('/organization/get-full-organization')
    expect(body.members[0].user).toMatchObject({ email: owner.email, emailVerified: false })
    expect((await owner.browser.get('/organization/get-active-member')).body.user.emailVerified).toBe(false)
    const guest = await createUser(optional)
    await guest.browser.get(await emailedLink(optional, guest.email, 'verifyEmail'))
    const id = await createInvitation(owner, guest.email)
    const invitation = await guest.browser.get(`/organization/get-invitation?id=${id}`)
    expect(invitation.body).toMatchObject({ inviterEmail: owner.email, inviterEmailVerified: false })
  })
})

describe('administrators (SEC-111)', () => {
  const boss = 'boss@example.test'

  it('a stranger’s account with a listed address is not promoted; the owner’s is, with an email and an event', async () => {
    const own = await createTestApp({ ADMIN_EMAILS: boss })
    const thief = own.browser()
    await thief.post('/sign-up/email', { name: 'Thief', email: boss, password })
    const owner = own.browser()
    await owner.post('/sign-up/email', { name: 'Boss', email: boss, password: 'another sentence of the owner' })
    await owner.get(await emailedLink(own, boss, 'verifyEmail'))
    expect((await thief.post('/sign-in/email', { email: boss, password })).status).toBe(403)
    const token = await tokenFor(own, boss)
    await owner.post('/verify-email/claim', { token, name: 'Boss', password: 'another sentence of the owner' })
    expect((await owner.get('/get-session')).body.user.role).toBe('admin')
    expect((await own.mails(boss))[0]?.kind).toBe('administratorGranted')
    const events = await own.db.event.findMany({ where: { type: 'user.role_changed' } })
    expect(events).toMatchObject([{ data: { from: 'user', to: 'admin', by: 'setting' } }])
  })

  it('changing the address to a listed one does not promote the user', async () => {
    const own = await createTestApp({ ADMIN_EMAILS: boss })
    const person = await createUser(own)
    await person.browser.post('/change-email', { newEmail: boss })
    await person.browser.get(await emailedLink(own, person.email, 'confirmEmailChange'))
    await person.browser.get(await emailedLink(own, boss, 'verifyEmail'))
    const { body } = await own.browser().post('/sign-in/email', { email: boss, password })
    expect(body.user).toMatchObject({ emailVerified: true })
    expect((await own.db.user.findUniqueOrThrow({ where: { email: boss } })).role).toBe('user')
  })

  it('another administrator can revoke the role permanently; administrators cannot revoke their own', async () => {
    const second = 'second@example.test'
    const own = await createTestApp({ ADMIN_EMAILS: `${boss},${second}` })
    const join = async (email: string) => {
      const browser = own.browser()
      await browser.post('/sign-up/email', { name: email, email, password })
      await browser.get(await emailedLink(own, email, 'verifyEmail'))
      return browser
    }
    const first = await join(boss)
    const other = await join(second)
    expect((await own.mails(boss)).map(({ kind }) => kind)).toContain('administratorAdded')
    const administrators = await first.trpc.admin.administrators.query()
    expect(administrators.map(({ email }) => email)).toEqual([boss, second])
    const [me, them] = administrators
    const revoke = (userId = '') => first.trpc.admin.setRole.mutate({ userId, role: 'user' })
    await expect(revoke(me?.id)).rejects.toThrow('You cannot revoke your own role')
    await expect(revoke('nobody')).rejects.toThrow('User not found')
    await revoke(them?.id)
    // The role that is wanted is already there.
    await revoke(them?.id)
    await expect(other.trpc.admin.administrators.query()).rejects.toThrow('You are not an administrator')
    await own.browser().post('/sign-in/email', { email: second, password })
    expect((await own.db.user.findUniqueOrThrow({ where: { email: second } })).role).toBe('user')
    expect((await own.mails(second))[0]?.kind).toBe('administratorRevoked')
    own.advanceClock(86_400)
    await expect(revoke(them?.id)).rejects.toThrow('Session is not fresh')
  })
})

describe('a ban (SEC-117)', () => {
  it('takes effect with the next request, for every sign-in method, until it ends', async () => {
    const banned = await createTestApp()
    const person = await createUser(banned)
    const { email } = person
    const thumb = person.browser.copy()
    await banned.db.user.update({
      where: { id: person.id },
      data: { bannedAt: new Date(), banExpiresAt: new Date(Date.now() + 3_600_000) },
    })
    // Mutations read the database, even with a valid cookie cache.
    expect((await person.browser.post('/update-user', { name: 'X' })).status).toBe(401)
    expect((await thumb.get('/list-sessions')).status).toBe(401)
    expect(await banned.db.session.count()).toBe(0)
    const refusal = expect.objectContaining({ code: 'BANNED_USER', banExpires: expect.any(String) })
    const answer = await banned.browser().post('/sign-in/email', { email, password })
    expect([answer.status, answer.body]).toEqual([403, refusal])
    expect((await banned.browser().post('/sign-in/email', { email, password: 'wrong' })).status).toBe(401)
    banned.advanceClock(3601)
    expect((await banned.browser().post('/sign-in/email', { email, password })).status).toBe(200)
  })
})
