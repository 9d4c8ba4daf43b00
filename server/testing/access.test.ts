import { expect, it } from 'vitest'
import { isPermissionRefusal } from '../../shared/errors.ts'
import { proceduresOf } from '../http/procedures.ts'
import { appRouter } from '../router.ts'

/**
 * An explicit list of the procedures open to callers other than a user in a browser. A new or renamed procedure is open
 * to none of them until it is listed here too.
 */
const openTo = {
  'access_token api_key impersonator': `
    account: isUsernameFree
    invitation: list search
    organization: activity checkSlug get getActiveMember getActiveMemberRole getFull hasPermission list listMembers members membersWithoutSecondFactor mine setActive setSecondFactor update
    payment: checkDiscount customers entitlements features months payments previewPlan products search subscriptions
    team: create list update withMembers
  `,
  'access_token api_key': `
    invitation: cancel create
    organization: create delete leave removeMember transferOwnership updateMemberRole
    payment: cancelSubscription changePlan checkoutLink createCheckout licenseKeys portal resumeSubscription updatePaymentMethod
    team: assign remove
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
    account: pendingEmail
    admin: administrators apiKeys assign banUser cancelFactorRemoval cancelSubscription clients createClient createUser deleteApiKey deleteClient deleteOrganization dismiss disputes events getUser hasPermission impersonateUser impersonation jobs listUserSessions listUsers mails organization organizationMembers organizations overview payment payments processAgain refund removeUser replaceClientSecret revenue revokeUserSession revokeUserSessions runJob sendMailAgain setOrganizationLimit setRole setUserPassword settings startFactorRemoval openPaymentEvents unbanUser updateClient userDetails userSessions
    payment: invoice
    picture: upload
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

/**
 * The calls that API keys may make: whether a key that is limited to an organization may make the call, because its
 * guard (true) or its input names that organization, and the permission that a key limited to permissions needs to
 * change something.
 */
const ofKeys = `
  account.isUsernameFree: - -
  admin.organizationMetadata: - -
  admin.setOrganizationMetadata: - -
  admin.setUserMetadata: - -
  admin.userMetadata: - -
  invitation.cancel: true invitation.cancel
  invitation.create: true invitation.create
  invitation.list: true -
  invitation.search: true -
  organization.activity: true organization.update
  organization.checkSlug: - -
  organization.create: - -
  organization.delete: true organization.delete
  organization.get: - -
  organization.getActiveMember: - -
  organization.getActiveMemberRole: true -
  organization.getFull: true -
  organization.hasPermission: true -
  organization.leave: - -
  organization.list: - -
  organization.listMembers: true -
  organization.members: true -
  organization.membersWithoutSecondFactor: true organization.update
  organization.mine: - -
  organization.removeMember: true member.delete
  organization.setActive: - -
  organization.setSecondFactor: true organization.update
  organization.transferOwnership: true -
  organization.update: true organization.update
  organization.updateMemberRole: true member.update
  payment.cancelSubscription: - -
  payment.changePlan: - -
  payment.checkDiscount: - -
  payment.checkoutLink: - -
  payment.createCheckout: - -
  payment.customers: by_input organization.update
  payment.entitlements: by_input -
  payment.features: by_input -
  payment.licenseKeys: by_input organization.update
  payment.months: by_input organization.update
  payment.payments: by_input organization.update
  payment.portal: - -
  payment.previewPlan: - organization.update
  payment.products: - -
  payment.resumeSubscription: - -
  payment.search: by_input organization.update
  payment.subscriptions: by_input organization.update
  payment.updatePaymentMethod: - -
  team.assign: true member.update
  team.create: true team.create
  team.list: true -
  team.remove: true team.delete
  team.update: true team.update
  team.withMembers: true -
  webhook.replay: - event.list
`

it('a procedure that is open to API keys has the scope and the permission that this list says (SEC-40)', () => {
  const declared = proceduresOf(appRouter)
    .filter(({ meta }) => (meta.openTo as string[] | undefined)?.includes('api_key'))
    .map(
      ({ name, meta }) =>
        `${name}: ${String(meta.organizationScope ?? '-')} ${meta.requiredPermission?.join('.') ?? '-'}`,
    )
  expect(declared.toSorted()).toEqual(ofKeys.trim().split(/\n\s*/))
})

it('every refusal of a guard because of a missing permission is recorded as an event (SEC-119)', () => {
  const refused = proceduresOf(appRouter).flatMap(({ meta }) => [
    ...(meta.notPermitted ?? []),
    ...(meta.notAdministrator ? [meta.notAdministrator] : []),
  ])
  const unrecorded = refused.filter((key) => !isPermissionRefusal(key))
  // These say that no organization was given, or that the organization or member was not found.
  expect([...new Set(unrecorded)].toSorted()).toEqual([
    'MEMBER_NOT_FOUND',
    'NO_ACTIVE_ORGANIZATION',
    'ORGANIZATION_ID_IS_REQUIRED',
    'ORGANIZATION_NOT_FOUND',
  ])
})
