/** The module that writes each table. Any module may read any table: a join instead of a second statement. */
export const tableOwners: Readonly<Record<string, string>> = {
  Verification: 'foundation',
  Lease: 'foundation',
  RateLimitCounter: 'foundation',
  SigningKey: 'token',
  Event: 'event',
  Mail: 'mail',
  Session: 'session',
  TwoFactor: 'factor',
  FactorRemoval: 'factor',
  Passkey: 'factor',
  RecoveryCode: 'factor',
  Picture: 'picture',
  Organization: 'organization',
  Member: 'organization',
  Team: 'team',
  User: 'account',
  RevokedAdministrator: 'account',
  Account: 'account',
  PasswordDecoy: 'account',
  Invitation: 'invitation',
  PaymentEvent: 'payment',
  Customer: 'payment',
  Payment: 'payment',
  Refund: 'payment',
  Dispute: 'payment',
  Subscription: 'payment',
  LicenseKey: 'payment',
  CheckoutBinding: 'payment',
  Product: 'payment',
  ApiKey: 'api-key',
  OAuthClient: 'oauth',
  OAuthArtifact: 'oauth',
  OAuthConsent: 'oauth',
  LogoutNotice: 'oauth',
  WebhookEndpoint: 'webhook',
  WebhookDelivery: 'webhook',
  ActiveUserCount: 'maintenance',
}

/** Files that write tables of other modules, and why. */
export const foreignWrites: Readonly<Record<string, { tables: readonly string[]; reason: string }>> = {
  'server/account/tokens.ts': {
    tables: ['Verification'],
    reason: 'It invalidates all open secrets of a user, whatever their purpose.',
  },
  'server/factor/authenticator-apps.ts': {
    tables: ['User'],
    reason: 'The flag twoFactorEnabled is read with every session, which saves the read of another table.',
  },
  'server/invitation/invitations.ts': {
    tables: ['Member', 'Session', 'User'],
    reason: 'Joining is one statement of member, active organization, email and event (bench).',
  },
  'server/maintenance/reencrypt.ts': {
    tables: ['Account', 'Mail', 'RecoveryCode', 'SigningKey', 'TwoFactor', 'WebhookEndpoint'],
    reason: 'After a rotation of AUTH_SECRET it encrypts all that is stored encrypted again.',
  },
  'server/organization/organizations.ts': {
    tables: ['Session', 'Team', 'User'],
    reason: 'Creation is one statement of organization, team, owner, active organization and event (bench).',
  },
  'server/session/new-sessions.ts': {
    tables: ['User'],
    reason: 'The organization used last is stored in the statement that starts a session (bench).',
  },
  'server/session/sessions.ts': {
    tables: ['User'],
    reason: 'The organization used last is stored in the statement that makes it the active one.',
  },
  'server/purchase/ongoing-subscriptions.ts': {
    tables: ['PaymentEvent'],
    reason: 'Accounts and organizations are deleted below the payments, which keep what is still charged.',
  },
  'server/token/api-keys.ts': {
    tables: ['ApiKey'],
    reason: 'Requests count the uses of keys, and accounts and members delete them, below the calls that manage keys.',
  },
  'server/token/connections.ts': {
    tables: ['OAuthArtifact', 'OAuthConsent'],
    reason: 'Accounts end the access of applications below the issuer that grants it.',
  },
  'server/token/grants.ts': {
    tables: ['LogoutNotice', 'OAuthArtifact'],
    reason:
      'A session that replaces another one takes over its grants, and a changed password ends them, below the issuer.',
  },
  'server/transfer/users.ts': {
    tables: ['Account', 'Member', 'Organization', 'Team', 'User'],
    reason: 'An import stores thousands of rows in one statement.',
  },
  'server/webhook/event-sequence.ts': {
    tables: ['Event'],
    reason:
      'Events get their sequence number when the list of events is read, or from a job, in the order of their commits.',
  },
}
