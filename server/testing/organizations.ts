import { randomBytes } from 'node:crypto'
import { emailedLink, type TestApp } from './test-app.ts'
import { createUser, type TestUser } from './test-users.ts'

export type OrganizationOwner = TestUser & {
  organization: { id: string; slug: string; name: string }
  memberId: string
  teamId: string
}

export function newSlug(): string {
  return `acme-${randomBytes(5).toString('hex')}`
}

/** A new user who owns an organization, which is the session's active one. */
export async function createOrganizationOwner(
  testApp: TestApp,
  more: Record<string, unknown> = {},
): Promise<OrganizationOwner> {
  const person = await createUser(testApp)
  const { status, body } = await person.browser.post('/organization/create', { name: 'Acme', slug: newSlug(), ...more })
  if (status !== 200) throw new Error(`The organization was refused: ${JSON.stringify(body)}`)
  const { members, ...organization } = body
  return { ...person, organization, memberId: members[0].id, teamId: members[0].teamId }
}

export type JoinedMember = TestUser & { memberId: string; invitationId: string }

/** A new user who has accepted an invitation to the owner's organization. */
export async function createMember(
  testApp: TestApp,
  owner: OrganizationOwner,
  role: string | string[] = 'member',
): Promise<JoinedMember> {
  const person = await createUser(testApp)
  // Where a sign-up signs in immediately, the email address is verified here.
  if (testApp.app.config.emailVerification === 'optional')
    await person.browser.get(await emailedLink(testApp, person.email))
  const invitationId = await createInvitation(owner, person.email, { role })
  const { status, body } = await person.browser.post('/organization/accept-invitation', { invitationId })
  if (status !== 200) throw new Error(`The invitation was refused: ${JSON.stringify(body)}`)
  return { ...person, memberId: body.member.id, invitationId }
}

/** Creates an invitation and returns its id. */
export async function createInvitation(
  owner: OrganizationOwner,
  email: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const input = { email, role: 'member', organizationId: owner.organization.id, ...more }
  const { status, body } = await owner.browser.post('/organization/invite-member', input)
  if (status !== 200) throw new Error(`The invitation was refused: ${JSON.stringify(body)}`)
  return body.id
}

/** The secret of the newest invitation emailed to an address. */
export async function secretFor(testApp: TestApp, email: string): Promise<string> {
  return new URL(await emailedLink(testApp, email, 'invitation')).searchParams.get('secret') ?? ''
}

/** Inserts `count` members directly into the database, for tests of limits. */
export async function insertMembers(testApp: TestApp, organizationId: string, count: number): Promise<void> {
  const tag = randomBytes(5).toString('hex')
  await testApp.pool.query(
    `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
     select $1 || n, $1 || n || '@crowd.test', 'Nobody ' || n, true, now(), now(), 3, 'user' from generate_series(1, $2::int) n`,
    [tag, count],
  )
  await testApp.pool.query(
    `insert into "Member" (id, "organizationId", "userId", role, "createdAt")
     select $1 || n, $3, $1 || n, 'member', now() from generate_series(1, $2::int) n`,
    [tag, count, organizationId],
  )
}
