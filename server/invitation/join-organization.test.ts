import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createInvitation, createMember, secretFor } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { password, createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()
const closed = await createTestApp({ EMAIL_PASSWORD: 'on', PASSWORD_MIN: '10' })

async function guest(instance = testApp) {
  const owner = await createOrganizationOwner(instance)
  const { email } = newUserData()
  const invitationId = await createInvitation(owner, email, { role: 'admin' })
  return { owner, email, invitationId, secret: await secretFor(instance, email), browser: instance.browser() }
}

describe('a new user with an emailed invitation', () => {
  it('can read the invitation without a session', async () => {
    const { owner, email, invitationId: id, secret, browser } = await guest()
    expect(await browser.trpc.invitation.readByLink.mutate({ id, secret })).toEqual({
      email,
      role: 'admin',
      organizationId: owner.organization.id,
      expiresAt: expect.any(String),
      state: 'pending',
      organizationName: 'Acme',
      organizationSlug: owner.organization.slug,
      organizationLogo: null,
      inviterName: owner.name,
      hasAccount: false,
    })
    for (const wrong of ['', 'x', secret.slice(1), `${secret}x`]) {
      expect(await browser.trpc.invitation.readByLink.mutate({ id, secret: wrong })).toBeNull()
    }
    expect(await browser.trpc.invitation.readByLink.mutate({ id: 'unknown', secret })).toBeNull()
  })

  it('signs up and joins in one step, with a verified email address and no second email', async () => {
    const { owner, email, invitationId, secret, browser } = await guest()
    const { joinByLink: join } = browser.trpc.invitation
    const joined = await join.mutate({ invitationId, secret, name: 'Grace', password })
    expect(joined).toMatchObject({ organizationSlug: owner.organization.slug, member: { role: 'admin' } })
    const { body } = await browser.get('/get-session')
    expect(body.user).toMatchObject({ email, name: 'Grace', emailVerified: true })
    expect(body.session.activeOrganizationId).toBe(owner.organization.id)
    expect((await testApp.mails(email)).map(({ kind }) => kind)).toEqual(['invitation'])
    const elsewhere = testApp.browser()
    expect((await elsewhere.post('/sign-in/email', { email, password })).status).toBe(200)
    await expect(join.mutate({ invitationId, secret, name: 'Again', password })).rejects.toThrow('Invitation not found')
    expect(await browser.trpc.invitation.readByLink.mutate({ id: invitationId, secret })).toMatchObject({
      state: 'accepted',
      hasAccount: true,
    })
  })

  it('takes over an unverified account with the email address', async () => {
    const squatter = await createUnverifiedUser(testApp)
    const owner = await createOrganizationOwner(testApp)
    const invitationId = await createInvitation(owner, squatter.email)
    const secret = await secretFor(testApp, squatter.email)
    const browser = testApp.browser()
    const next = 'the owner chose another sentence'
    await browser.trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'Owner', password: next })
    const { body } = await browser.get('/get-session')
    expect(body.user).toMatchObject({ name: 'Owner', emailVerified: true })
    expect(body.user.id).not.toBe(squatter.id)
    const old = await squatter.browser.post('/sign-in/email', { email: squatter.email, password: squatter.password })
    expect(old.status).toBe(401)
  })

  it('keeps an unverified account that was used, with its organizations, and ends the access of others to it', async () => {
    const open = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createOrganizationOwner(open)
    const colleague = await createMember(open, person)
    const owner = await createOrganizationOwner(open)
    const invitationId = await createInvitation(owner, person.email)
    const secret = await secretFor(open, person.email)
    const browser = open.browser()
    const next = 'the owner chose another sentence'
    await browser.trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'Owner', password: next })
    const { body } = await browser.get('/get-session')
    expect(body.user).toMatchObject({ id: person.id, name: 'Owner', emailVerified: true })
    expect(body.session.activeOrganizationId).toBe(owner.organization.id)
    const { body: listed } = await browser.get('/organization/list')
    expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [person.organization.id, owner.organization.id].toSorted(),
    )
    const members = await open.db.member.findMany({ where: { organizationId: person.organization.id } })
    expect(members.find(({ userId }) => userId === person.id)?.role).toBe('owner')
    expect(members.find(({ userId }) => userId === colleague.id)?.role).toBe('member')
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    const old = await open.browser().post('/sign-in/email', { email: person.email, password: person.password })
    expect(old.status).toBe(401)
  })

  it('does not give a used, unverified account to a banned user', async () => {
    const open = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(open)
    const owner = await createOrganizationOwner(open)
    const invitationId = await createInvitation(owner, person.email)
    const secret = await secretFor(open, person.email)
    await open.db.user.update({ where: { id: person.id }, data: { bannedAt: open.app.clock() } })
    await expect(
      open.browser().trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'Owner', password }),
    ).rejects.toMatchObject({ data: { reason: 'BANNED_USER' } })
    expect(await open.db.member.count({ where: { userId: person.id } })).toBe(0)
  })

  it('has to sign in if the email address has an account', async () => {
    const person = await createUser(testApp)
    const owner = await createOrganizationOwner(testApp)
    const invitationId = await createInvitation(owner, person.email)
    const secret = await secretFor(testApp, person.email)
    const { trpc } = testApp.browser()
    expect(await trpc.invitation.readByLink.mutate({ id: invitationId, secret })).toMatchObject({ hasAccount: true })
    await expect(trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'X', password })).rejects.toThrow(
      'User already exists',
    )
    expect(await testApp.db.invitation.count({ where: { id: invitationId, status: 'pending' } })).toBe(1)
  })

  it('needs the secret, a valid password and a pending invitation', async () => {
    const { owner, invitationId, secret, browser, email } = await guest(closed)
    const { joinByLink: join } = browser.trpc.invitation
    const input = { invitationId, secret, name: 'Grace', password }
    await expect(join.mutate({ ...input, secret: '' })).rejects.toThrow('Invitation not found')
    await expect(join.mutate({ ...input, secret: secret.slice(1) })).rejects.toThrow('Invitation not found')
    await expect(join.mutate({ ...input, password: 'short' })).rejects.toThrow('Password too short')
    await expect(join.mutate({ ...input, password: 'passwordpassword' })).rejects.toThrow('Password too common')
    await owner.browser.post('/organization/cancel-invitation', { invitationId })
    await expect(join.mutate(input)).rejects.toThrow('Invitation not found')
    expect(await closed.db.user.count({ where: { email } })).toBe(0)
  })

  it('twenty concurrent calls create one account and one membership', async () => {
    const { email, invitationId, secret } = await guest()
    const done = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        testApp.browser().trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'Grace', password }),
      ),
    )
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await testApp.db.user.count({ where: { email } })).toBe(1)
    expect(await testApp.db.member.count({ where: { user: { email } } })).toBe(1)
    const reasons = done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []))
    expect(
      reasons.every((text) => /Failed to retrieve invitation|Invitation not found|User already exists/.test(text)),
    ).toBe(true)
  })

  it('is refused from another origin', async () => {
    const { invitationId, secret } = await guest()
    const answer = await fetch(`${testApp.origin}/api/trpc/invitation.joinByLink`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.test' },
      body: JSON.stringify({ invitationId, secret, name: 'X', password }),
    })
    expect(answer.status).toBe(403)
  })
})
