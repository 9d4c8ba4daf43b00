import { expect, it } from 'vitest'
import { proceduresOf } from '../http/procedures.ts'
import { appRouter } from '../router.ts'

/**
 * An explicit list of the procedures open to callers other than a user in a browser. A new or renamed procedure is open
 * to none of them until it is listed here too.
 */
const openTo = {
  'access_token api_key impersonator': `
    account: isUsernameFree
    invitation: cancel list search
    organization: activity checkSlug create get getActiveMember getActiveMemberRole getFull hasPermission list listMembers members membersWithoutSecondFactor mine setActive setSecondFactor update
    payment: checkDiscount customers entitlements features months payments previewPlan products search subscriptions
    team: assign create list remove update withMembers
  `,
  'access_token api_key': `
    invitation: create
    organization: delete leave removeMember transferOwnership updateMemberRole
    payment: cancelSubscription changePlan checkoutLink createCheckout licenseKeys portal resumeSubscription updatePaymentMethod
  `,
  'access_token impersonator': `
    account: activity listAccounts previewDeletion
    invitation: get mine
    session: devices list
  `,
  access_token: `
    account: update
    invitation: accept reject
    session: revoke revokeAll revokeOthers
  `,
  'api_key impersonator': `
    admin: organizationMetadata setOrganizationMetadata setUserMetadata userMetadata
    webhook: replay
  `,
  impersonator: `
    admin: administrators apiKeys assign banUser cancelFactorRemoval cancelSubscription clients createClient createUser deleteApiKey deleteClient deleteOrganization dismiss disputes events getUser hasPermission impersonateUser impersonation jobs listUserSessions listUsers mails organization organizationMembers organizations overview payments processAgain refund removeUser replaceClientSecret revenue revokeUserSession revokeUserSessions runJob sendMailAgain setOrganizationLimit setRole setUserPassword settings startFactorRemoval unassignedEvents unbanUser updateClient userDetails userSessions
    token: issue
    webhook: createEndpoint deleteEndpoint deliveries delivery endpoints rotateSecret sendAgain sendTest updateEndpoint
  `,
}

it('a procedure is open to tokens, keys and impersonators only where this list says so (SEC-40, SEC-127)', () => {
  const declared = proceduresOf(appRouter).flatMap(({ name, meta }) =>
    meta.openTo ? [`${name}: ${meta.openTo.join(' ')}`] : [],
  )
  const listed = Object.entries(openTo).flatMap(([callers, modules]) =>
    modules
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [module = '', names = ''] = line.trim().split(': ')
        return names.split(' ').map((name) => `${module}.${name}: ${callers}`)
      }),
  )
  expect(declared.toSorted()).toEqual(listed.toSorted())
})
