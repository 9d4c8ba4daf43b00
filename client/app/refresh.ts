import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/router.ts'

type Outputs = inferRouterOutputs<AppRouter>

/** `router.procedure` of every procedure of the server, such as `team.list`. */
type Call = { [Name in keyof Outputs]: `${Name & string}.${keyof Outputs[Name] & string}` }[keyof Outputs]

/** A procedure, or a router name for all of its queries. */
type Stale = Call | keyof Outputs

/** Maps each mutation to the queries it invalidates. Renaming a procedure is a compile error here. */
export const invalidatedBy: Readonly<Partial<Record<Call, readonly Stale[]>>> = {
  'session.signInEmail': ['session.get'],
  'session.signOut': ['session.get'],
  'session.signInUsername': ['session.get'],
  'session.reauthenticate': ['session.get', 'session.devices', 'session.list'],
  'session.revoke': ['session.devices', 'session.list'],
  'session.revokeOthers': ['session.devices', 'session.list'],
  'account.signUpEmail': ['session.get'],
  'account.update': ['session.get'],
  'account.changeEmail': ['session.get'],
  'account.changePassword': ['session.get', 'session.devices', 'session.list', 'account.listAccounts'],
  'account.unlink': ['account.listAccounts', 'account.activity'],
  'organization.create': ['organization.mine', 'organization.list', 'session.get'],
  'organization.update': ['organization.get', 'organization.mine', 'organization.list', 'organization.getFull'],
  'organization.delete': ['organization.mine', 'organization.list', 'session.get'],
  'organization.setActive': ['session.get', 'organization.getActiveMember'],
  'organization.leave': ['organization.mine', 'organization.list', 'session.get'],
  'organization.removeMember': ['organization.get', 'organization.members', 'organization.mine', 'session.get'],
  'organization.updateMemberRole': ['organization', 'session.get'],
  'organization.transferOwnership': ['organization'],
  'team.create': ['team.list', 'team.withMembers', 'organization.get'],
  'team.update': ['team.list', 'team.withMembers'],
  'team.remove': ['team.list', 'team.withMembers', 'organization.get', 'organization.members'],
  'team.assign': ['organization.members', 'organization.get', 'team.withMembers'],
  'apiKey.create': ['apiKey.list', 'account.activity'],
  'apiKey.update': ['apiKey.list'],
  'apiKey.delete': ['apiKey.list', 'account.activity'],
  'oauth.removeApp': ['oauth.connectedApps', 'account.activity'],
  'oauth.decideConsent': ['oauth.connectedApps'],
  'oauth.decideDevice': ['oauth.connectedApps'],
  'payment.cancelSubscription': ['payment.subscriptions', 'account.previewDeletion'],
  'payment.resumeSubscription': ['payment.subscriptions', 'account.previewDeletion'],
  'payment.changePlan': ['payment.subscriptions', 'payment.payments', 'payment.search', 'payment.months'],
  'payment.transferSubscription': ['payment', 'account.previewDeletion'],
  'admin.refund': ['admin.payments', 'admin.revenue'],
  'admin.dismiss': ['admin.unassignedEvents'],
  'admin.processAgain': ['admin.unassignedEvents'],
  'admin.revokeAdministrator': ['admin.administrators'],
  'admin.assign': ['admin.unassignedEvents'],
  'admin.createClient': ['admin.clients'],
  'admin.deleteClient': ['admin.clients'],
  'webhook.createEndpoint': ['webhook.endpoints'],
  'webhook.updateEndpoint': ['webhook.endpoints', 'webhook.deliveries'],
  'webhook.deleteEndpoint': ['webhook.endpoints'],
  'webhook.rotateSecret': ['webhook.endpoints'],
  'webhook.sendTest': ['webhook.deliveries'],
  'webhook.sendAgain': ['webhook.deliveries'],
  'admin.createUser': ['admin.listUsers', 'admin.administrators'],
  'admin.setRole': [
    'admin.listUsers',
    'admin.getUser',
    'admin.userSessions',
    'admin.userEvents',
    'admin.administrators',
  ],
  'admin.banUser': ['admin.listUsers', 'admin.getUser', 'admin.userSessions', 'admin.userEvents'],
  'admin.unbanUser': ['admin.listUsers', 'admin.getUser', 'admin.userEvents'],
  'admin.revokeUserSession': ['admin.userSessions', 'admin.userEvents'],
  'admin.revokeUserSessions': ['admin.userSessions', 'admin.userEvents'],
  'admin.removeUser': ['admin.listUsers', 'admin.administrators'],
  'admin.setUserPassword': ['admin.userDetails', 'admin.userSessions', 'admin.userEvents'],
  'invitation.create': ['invitation.list', 'invitation.search', 'organization.get'],
  'invitation.cancel': ['invitation.list', 'invitation.search', 'organization.get'],
  'invitation.accept': ['invitation.mine', 'organization', 'session.get'],
  'invitation.reject': ['invitation.mine'],
  'invitation.decline': [],
}
