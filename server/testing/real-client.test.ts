import { createAuthClient } from 'better-auth/client'
import { usernameClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { password, stranger } from './people.ts'
import { linkTo, openWorld } from './world.ts'

const world = await openWorld()

/** The unmodified client of better-auth 1.2.7, with the cookies and the Origin of a browser (R2). */
function openClient() {
  const browser = world.browser()
  const client = createAuthClient({
    baseURL: world.origin,
    plugins: [usernameClient()],
    fetchOptions: {
      customFetchImpl: async (input, init) => {
        const headers = new Headers(init?.headers)
        const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
        if (cookie !== '') headers.set('cookie', cookie)
        headers.set('origin', world.origin)
        const response = await fetch(input, { ...init, headers, redirect: 'manual' })
        browser.keep(response.headers.getSetCookie())
        return response
      },
    },
  })
  return { client, browser }
}

async function newcomer(username?: string) {
  const person = { ...stranger(), ...(username !== undefined && { username }) }
  const { client, browser } = openClient()
  const up = await client.signUp.email(person)
  expect(up.error).toBeNull()
  await browser.get(await linkTo(world, person.email))
  return { ...person, client, browser }
}

describe('the client of better-auth 1.2.7', () => {
  it('signs up, sees its session, signs out and in again', async () => {
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

  it('signs in by username and changes its user', async () => {
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

  it('lists and ends sessions', async () => {
    const one = await newcomer()
    const other = openClient()
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

  it('resets and changes its password', async () => {
    const { client, email, browser } = await newcomer()
    expect((await client.forgetPassword({ email, redirectTo: '/new' })).data).toEqual({ status: true })
    const { location } = await browser.get(await linkTo(world, email, 'resetPassword'))
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

  it('changes its address, sees its accounts and deletes itself', async () => {
    const { client, email, browser } = await newcomer()
    const newEmail = stranger().email
    expect((await client.changeEmail({ newEmail })).data).toEqual({ status: true })
    await browser.get(await linkTo(world, email, 'confirmEmailChange'))
    await browser.get(await linkTo(world, newEmail, 'verifyEmail'))
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
})
