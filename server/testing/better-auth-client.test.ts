import { organizationClient, usernameClient } from 'better-auth/client/plugins'
import { describe, expect, it, vi } from 'vitest'
import { createBetterAuthClient } from './better-auth.ts'
import { newSlug } from './organizations.ts'
import { emailedLink, createTestApp } from './test-app.ts'
import { password, newUserData } from './test-users.ts'

const testApp = await createTestApp()

/** The unmodified better-auth 1.2.7 client, with a browser's cookies and Origin header. */
const createClient = () =>
  createBetterAuthClient(testApp, [usernameClient(), organizationClient({ teams: { enabled: true } })])

async function newcomer(username?: string) {
  const person = { ...newUserData(), ...(username !== undefined && { username }) }
  const { client, browser } = createClient()
  const up = await client.signUp.email(person)
  expect(up.error).toBeNull()
  await browser.get(await emailedLink(testApp, person.email))
  return { ...person, client, browser }
}

describe('the client of better-auth 1.2.7', () => {
  it('signs up, reads the session, signs out and signs in again', async () => {
    const { client, email, name } = await newcomer()
    const session = await client.getSession()
    expect(session.data?.user).toMatchObject({ email, name, emailVerified: true })
    expect(session.data?.session.expiresAt).toBeInstanceOf(Date)
    expect((await client.signOut()).data).toEqual({ success: true })
    expect((await client.getSession()).data).toBeNull()
    const wrong = await client.signIn.email({ email, password: 'not the password' })
    expect(wrong.error).toMatchObject({
      status: 401,
      code: 'INVALID_EMAIL_OR_PASSWORD',
      message: 'Invalid email or password',
    })
    const back = await client.signIn.email({ email, password, rememberMe: false })
    expect(back.data?.user.email).toBe(email)
    expect((await client.getSession({ query: { disableCookieCache: true } })).data?.user.email).toBe(email)
  })

  it('signs in with a username and updates the user', async () => {
    const username = `Real_${Math.random().toString(36).slice(2, 8)}`
    const { client } = await newcomer(username)
    await client.signOut()
    expect((await client.signIn.username({ username, password: 'wrong' })).error?.code).toBe(
      'INVALID_USERNAME_OR_PASSWORD',
    )
    const signedIn = await client.signIn.username({ username: username.toLowerCase(), password })
    expect(signedIn.data?.user.username).toBe(username.toLowerCase())
    expect((await client.updateUser({ name: 'Augusta', image: null })).data).toEqual({ status: true })
    expect((await client.getSession()).data?.user).toMatchObject({ name: 'Augusta', displayUsername: username })
    expect((await client.updateUser({ username: 'x' })).error?.code).toBe('USERNAME_IS_TOO_SHORT')
  })

  it('lists and revokes sessions', async () => {
    const one = await newcomer()
    const other = createClient()
    await other.client.signIn.email({ email: one.email, password })
    const sessions = await one.client.listSessions()
    expect(sessions.data).toHaveLength(2)
    const token = (await other.client.getSession()).data?.session.token ?? ''
    expect((await one.client.revokeSession({ token })).data).toEqual({ status: true })
    expect((await one.client.revokeSession({ token })).error?.code).toBe('SESSION_NOT_FOUND')
    expect((await one.client.revokeOtherSessions()).data).toEqual({ status: true })
    expect((await one.client.revokeSessions()).data).toEqual({ status: true })
    expect((await one.client.listSessions()).error?.status).toBe(401)
  })

  it('resets and changes the password', async () => {
    const { client, email, browser } = await newcomer()
    expect((await client.forgetPassword({ email, redirectTo: '/new' })).data).toEqual({ status: true })
    const { location } = await browser.get(await emailedLink(testApp, email, 'resetPassword'))
    const token = new URL(location ?? '').searchParams.get('token') ?? ''
    const newPassword = 'an entirely different sentence'
    expect((await client.resetPassword({ newPassword }, { query: { token } })).data).toEqual({ status: true })
    expect((await client.resetPassword({ newPassword, token })).error?.code).toBe('INVALID_TOKEN')
    await client.signIn.email({ email, password: newPassword })
    const changed = await client.changePassword({
      currentPassword: newPassword,
      newPassword: `${newPassword}!`,
      revokeOtherSessions: true,
    })
    expect(changed.data?.token).toBe((await client.getSession()).data?.session.token)
  })

  it('changes the email address, lists accounts and deletes the user', async () => {
    const { client, email, browser } = await newcomer()
    const newEmail = newUserData().email
    expect((await client.changeEmail({ newEmail })).data).toEqual({ status: true })
    await browser.get(await emailedLink(testApp, email, 'confirmEmailChange'))
    await browser.get(await emailedLink(testApp, newEmail, 'verifyEmail'))
    expect((await client.getSession({ query: { disableCookieCache: true } })).data?.user).toMatchObject({
      email: newEmail,
      emailVerified: true,
    })
    expect((await client.listAccounts()).data).toMatchObject([{ provider: 'credential', scopes: [] }])
    expect((await client.unlinkAccount({ providerId: 'credential' })).error?.code).toBe(
      'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
    )
    expect((await client.sendVerificationEmail({ email: newEmail })).data).toEqual({ status: true })
    expect((await client.deleteUser({ password })).data).toEqual({ success: true, message: 'User deleted' })
    expect((await client.getSession()).data).toBeNull()
  })

  it('creates, reads, updates and deletes an organization', async () => {
    const { client } = await newcomer()
    const slug = newSlug()
    const made = await client.organization.create({ name: 'Acme', slug, metadata: { plan: 'gold' } })
    expect(made.data).toMatchObject({ slug, metadata: { plan: 'gold' }, members: [{ role: 'owner' }] })
    expect(made.data?.createdAt).toBeInstanceOf(Date)
    expect((await client.organization.checkSlug({ slug })).error).toMatchObject({ code: 'SLUG_IS_TAKEN', status: 400 })
    expect((await client.organization.checkSlug({ slug: newSlug() })).data).toEqual({ status: true })
    expect((await client.organization.list()).data).toMatchObject([{ slug }])
    expect((await client.organization.getFullOrganization()).data).toMatchObject({ slug, members: [{}], teams: [{}] })
    const changed = await client.organization.update({ data: { name: 'Ajax' }, organizationId: made.data?.id ?? '' })
    expect(changed.data?.name).toBe('Ajax')
    const right = { permissions: { organization: ['delete'], team: ['create'] } }
    expect((await client.organization.hasPermission(right)).data).toEqual({ error: null, success: true })
    expect(client.organization.checkRolePermission({ role: 'admin', permissions: right.permissions })).toBe(false)
    expect((await client.organization.setActive({ organizationId: null })).data).toBeNull()
    expect((await client.organization.getActiveMember()).data).toBeNull()
    expect((await client.organization.setActive({ organizationSlug: slug })).data).toMatchObject({ name: 'Ajax' })
    expect((await client.organization.getActiveMember()).data).toMatchObject({ role: 'owner' })
    const gone = await client.organization.delete({ organizationId: made.data?.id ?? '' })
    expect(gone.data).toMatchObject({ slug })
    expect((await client.organization.getFullOrganization()).data).toBeNull()
  })

  it('invites, accepts, rejects, cancels and lists', async () => {
    const owner = await newcomer()
    const guest = await newcomer()
    await owner.client.organization.create({ name: 'Acme', slug: newSlug() })
    const invite = { email: guest.email.toUpperCase(), role: 'member' }
    const first = await owner.client.organization.inviteMember(invite)
    expect((await owner.client.organization.inviteMember(invite)).error?.code).toBe(
      'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
    )
    expect((await owner.client.organization.inviteMember({ ...invite, resend: true })).data?.id).toBe(first.data?.id)
    const id = first.data?.id ?? ''
    const seen = await guest.client.organization.getInvitation({ query: { id } })
    expect(seen.data).toMatchObject({ organizationName: 'Acme', inviterEmail: owner.email })
    expect((await owner.client.organization.getInvitation({ query: { id } })).error?.code).toBe(
      'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
    )
    const rejected = await guest.client.organization.rejectInvitation({ invitationId: id })
    expect(rejected.data).toMatchObject({ invitation: { status: 'rejected' }, member: null })
    const second = await owner.client.organization.inviteMember(invite)
    const canceled = await owner.client.organization.cancelInvitation({ invitationId: second.data?.id ?? '' })
    expect(canceled.data).toMatchObject({ status: 'canceled' })
    const third = await owner.client.organization.inviteMember({ ...invite, role: ['admin', 'member'] })
    const accepted = await guest.client.organization.acceptInvitation({ invitationId: third.data?.id ?? '' })
    expect(accepted.data).toMatchObject({ invitation: { status: 'accepted' }, member: { role: 'admin,member' } })
    const all = await guest.client.organization.listInvitations()
    expect(all.data?.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'canceled', 'accepted'])
  })

  it('manages members and teams', async () => {
    const owner = await newcomer()
    const guest = await newcomer()
    const made = await owner.client.organization.create({ name: 'Acme', slug: newSlug() })
    const organizationId = made.data?.id ?? ''
    const team = await owner.client.organization.createTeam({ name: 'Ice' })
    expect(team.data).toMatchObject({ name: 'Ice', organizationId })
    const teamId = team.data?.id ?? ''
    expect((await owner.client.organization.updateTeam({ teamId, data: { name: 'Snow' } })).data?.name).toBe('Snow')
    expect((await owner.client.organization.listTeams()).data).toHaveLength(2)
    const invited = await owner.client.organization.inviteMember({ email: guest.email, role: 'member', teamId })
    const joined = await guest.client.organization.acceptInvitation({ invitationId: invited.data?.id ?? '' })
    expect(joined.data?.member).toMatchObject({ teamId })
    const memberId = joined.data?.member.id ?? ''
    const promoted = await owner.client.organization.updateMemberRole({ memberId, role: ['admin'] })
    expect(promoted.data).toMatchObject({ id: memberId, role: 'admin' })
    expect((await owner.client.organization.removeTeam({ teamId })).data).toEqual({
      message: 'Team removed successfully.',
    })
    expect((await guest.client.organization.removeMember({ memberIdOrEmail: owner.email })).error?.code).toBe(
      'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    )
    expect((await guest.client.organization.leave({ organizationId })).data).toMatchObject({ id: memberId })
    expect((await owner.client.organization.removeMember({ memberIdOrEmail: guest.email })).error?.code).toBe(
      'MEMBER_NOT_FOUND',
    )
  })

  it('refreshes its stores after mutations', async () => {
    // The stores fetch only if `window` is defined.
    vi.stubGlobal('window', globalThis)
    const { client } = await newcomer()
    const slug = newSlug()
    // A store fetches when it gets a listener, and again on its refresh signal.
    const stores = [
      client.useListOrganizations,
      client.useActiveOrganization,
      client.useActiveMember,
      client.useSession,
    ]
    const stop = stores.map((store) => store.listen(() => {}))
    try {
      await expect.poll(() => client.useListOrganizations.get().data).toEqual([])
      await expect.poll(() => client.useSession.get().data?.user.name).toBe('Ada Lovelace')
      await client.organization.create({ name: 'Acme', slug })
      await expect.poll(() => client.useListOrganizations.get().data).toMatchObject([{ slug }])
      await client.organization.setActive({ organizationSlug: slug })
      await expect.poll(() => client.useActiveOrganization.get().data?.slug).toBe(slug)
      await client.organization.createTeam({ name: 'Ice' })
      await expect.poll(() => client.useActiveOrganization.get().data?.teams?.length).toBe(2)
      await client.signOut()
      await expect.poll(() => client.useSession.get().data).toBeNull()
    } finally {
      for (const end of stop) end()
      vi.unstubAllGlobals()
    }
  })
})
