/**
 * All refusals of Foyer, with their code, status and message. The key is the code, unless one code has several
 * statuses or messages; `code` then overrides it. Messages are part of the REST contract: those of better-auth
 * 1.2.7 are quoted exactly.
 */
export const refusals = {
  // every call
  INVALID_BODY: { code: 'VALIDATION_ERROR', status: 400, message: 'Invalid body parameters' },
  INVALID_QUERY: { code: 'VALIDATION_ERROR', status: 400, message: 'Invalid query parameters' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  USER_CHANGED: { status: 409, message: 'Another user has signed in' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  INVALID_ORIGIN: { status: 403, message: 'Invalid origin' },
  INVALID_CALLBACKURL: { status: 403, message: 'Invalid callbackURL' },
  INVALID_REDIRECTURL: { status: 403, message: 'Invalid redirectURL' },
  INVALID_ERRORCALLBACKURL: { status: 403, message: 'Invalid errorCallbackURL' },
  INVALID_NEWUSERCALLBACKURL: { status: 403, message: 'Invalid newUserCallbackURL' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Payload too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported media type' },
  PICTURE_IS_INVALID: {
    status: 400,
    message: 'The picture must be a PNG, JPEG or WebP image of at most 1024 by 1024 pixels',
  },
  INSUFFICIENT_SCOPE: { status: 403, message: 'This token or key is not allowed to do this' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please try again later.' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'Internal server error' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'Service unavailable. Please try again later.' },

  // session
  FAILED_TO_CREATE_SESSION: { status: 500, message: 'Failed to create session' },
  FAILED_TO_GET_SESSION: { status: 500, message: 'Failed to get session' },
  INVALID_EMAIL: { status: 400, message: 'Invalid email' },
  INVALID_EMAIL_OR_PASSWORD: { status: 401, message: 'Invalid email or password' },
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: { status: 400, message: 'Email and password is not enabled' },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Email not verified' },
  INVALID_USERNAME_OR_PASSWORD: { status: 401, message: 'invalid username or password' },
  USERNAME_EMAIL_NOT_VERIFIED: { code: 'EMAIL_NOT_VERIFIED', status: 403, message: 'email not verified' },
  UNEXPECTED_ERROR: { status: 500, message: 'unexpected error' },
  SESSION_NOT_FOUND: { status: 400, message: 'Session not found' },
  BANNED_USER: {
    status: 403,
    message: 'You have been banned from this application. Please contact support if you believe this is an error.',
  },
  INVALID_CODE: { status: 400, message: 'Invalid code' },
  SESSION_IS_NOT_FRESH: { status: 403, message: 'Session is not fresh' },

  // second factors
  TOTP_NOT_ENABLED: { status: 400, message: 'TOTP not enabled' },
  FACTOR_REMOVAL_NOT_PENDING: { status: 400, message: 'No removal of the second factor is pending' },
  TWO_FACTOR_NOT_ENABLED: { code: 'TWO_FACTOR_ISNT_ENABLED', status: 400, message: "Two factor isn't enabled" },
  BACKUP_CODES_NOT_ENABLED: { code: 'BACKUP_CODES_ARENT_ENABLED', status: 400, message: "Backup codes aren't enabled" },
  OTP_NOT_CONFIGURED: { code: 'OTP_ISNT_CONFIGURED', status: 400, message: "otp isn't configured" },
  OTP_HAS_EXPIRED: { status: 400, message: 'OTP has expired' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'Second factor required' },
  ANOTHER_ADMINISTRATOR_IS_NEEDED: { status: 400, message: 'Ask another administrator to do this' },
  INVALID_BACKUP_CODE: { status: 401, message: 'Invalid backup code' },
  INVALID_TOTP_CODE: { code: 'INVALID_CODE', status: 401, message: 'Invalid code' },
  CHALLENGE_NOT_FOUND: { status: 400, message: 'Challenge not found' },
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: {
    status: 401,
    message: 'You are not allowed to register this passkey',
  },
  FAILED_TO_VERIFY_REGISTRATION: { status: 400, message: 'Failed to verify registration' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'Passkey not found' },
  UNKNOWN_PASSKEY: { code: 'PASSKEY_NOT_FOUND', status: 401, message: 'Passkey not found' },
  PASSKEY_LIMIT_REACHED: { status: 400, message: 'Passkey limit reached' },
  AUTHENTICATION_FAILED: { status: 400, message: 'Authentication failed' },
  INVALID_OTP: { status: 400, message: 'Invalid OTP' },
  OTP_EXPIRED: { status: 400, message: 'otp expired' },
  TOO_MANY_ATTEMPTS: { status: 403, message: 'Too many attempts' },
  EMAIL_CODE_USER_NOT_FOUND: { code: 'USER_NOT_FOUND', status: 400, message: 'User not found' },
  INVALID_TWO_FACTOR_COOKIE: { status: 401, message: 'Invalid two factor cookie' },

  // account
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: { status: 400, message: 'Email and password sign up is not enabled' },
  FAILED_TO_CREATE_USER: { status: 422, message: 'Failed to create user' },
  USER_ALREADY_EXISTS: { status: 422, message: 'User already exists' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'Password too short' },
  PASSWORD_TOO_LONG: { status: 400, message: 'Password too long' },
  PASSWORD_TOO_COMMON: { status: 400, message: 'Password too common' },
  EMAIL_CAN_NOT_BE_UPDATED: { status: 400, message: 'Email can not be updated' },
  RESET_PASSWORD_ISNT_ENABLED: { status: 400, message: "Reset password isn't enabled" },
  CALLBACKURL_IS_REQUIRED: { status: 400, message: 'callbackURL is required' },
  RESET_INVALID_TOKEN: { code: 'INVALID_TOKEN', status: 400, message: 'invalid token' },
  CREDENTIAL_ACCOUNT_NOT_FOUND: { status: 400, message: 'Credential account not found' },
  INVALID_PASSWORD: { status: 400, message: 'Invalid password' },
  USER_ALREADY_HAS_A_PASSWORD: { status: 400, message: 'user already has a password' },
  CHANGE_EMAIL_IS_DISABLED: { status: 400, message: 'Change email is disabled' },
  EMAIL_IS_THE_SAME: { status: 400, message: 'Email is the same' },
  COULDNT_UPDATE_YOUR_EMAIL: { status: 400, message: "Couldn't update your email" },
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: {
    status: 400,
    message: 'Session expired. Re-authenticate to perform this action.',
  },
  DELETE_INVALID_TOKEN: { code: 'INVALID_TOKEN', status: 404, message: 'invalid token' },
  FAILED_TO_GET_USER_INFO: { status: 404, message: 'Failed to get user info' },
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: { status: 400, message: "You can't unlink your last account" },
  ACCOUNT_NOT_FOUND: { status: 400, message: 'Account not found' },
  VERIFICATION_EMAIL_ISNT_ENABLED: { status: 400, message: "Verification email isn't enabled" },
  USERNAME_IS_TOO_SHORT: { status: 422, message: 'username is too short' },
  USERNAME_IS_TOO_LONG: { status: 422, message: 'username is too long' },
  USERNAME_IS_INVALID: { status: 422, message: 'username is invalid' },
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: {
    status: 422,
    message: 'username is already taken. please try another.',
  },

  // social sign-in; the messages with {id} name the provider
  PROVIDER_NOT_FOUND: { status: 404, message: 'Provider not found' },
  ID_TOKEN_NOT_SUPPORTED: { status: 404, message: 'id_token not supported' },
  SOCIAL_INVALID_TOKEN: { code: 'INVALID_TOKEN', status: 401, message: 'invalid token' },
  SOCIAL_FAILED_TO_GET_USER_INFO: {
    code: 'FAILED_TO_GET_USER_INFO',
    status: 401,
    message: 'Failed to get user info',
  },
  USER_EMAIL_NOT_FOUND: { status: 401, message: 'User email not found' },
  UNABLE_TO_CREATE_VERIFICATION: { status: 500, message: 'Unable to create verification' },
  ACCOUNT_NOT_LINKED: { status: 401, message: 'account not linked' },
  SIGNUP_DISABLED: { status: 401, message: 'signup disabled' },
  UNABLE_TO_LINK_ACCOUNT: { status: 401, message: 'unable to link account' },
  UNABLE_TO_CREATE_USER: { status: 401, message: 'unable to create user' },
  UNABLE_TO_CREATE_SESSION: { status: 401, message: 'unable to create session' },
  PROVIDER_ID_NOT_FOUND: { code: 'PROVIDER_{ID}_NOT_FOUND', status: 400, message: 'Provider {id} not found.' },
  PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING: {
    code: 'PROVIDER_{ID}_DOES_NOT_SUPPORT_TOKEN_REFRESHING',
    status: 400,
    message: 'Provider {id} does not support token refreshing.',
  },
  FAILED_TO_REFRESH_ACCESS_TOKEN: { status: 400, message: 'Failed to refresh access token' },

  // organization; one code has three statuses, depending on the call
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to create a new organization',
  },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: {
    status: 403,
    message: 'You have reached the maximum number of organizations',
  },
  ORGANIZATION_ALREADY_EXISTS: { status: 400, message: 'Organization already exists' },
  ORGANIZATION_NOT_FOUND: { status: 400, message: 'Organization not found' },
  SLUG_IS_TAKEN: { status: 400, message: 'slug is taken' },
  UPDATE_USER_NOT_FOUND: { code: 'USER_NOT_FOUND', status: 401, message: 'User not found' },
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: { status: 400, message: 'User is not a member of the organization' },
  NOT_A_MEMBER_FORBIDDEN: {
    code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    status: 403,
    message: 'User is not a member of the organization',
  },
  NOT_A_MEMBER_UNAUTHORIZED: {
    code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    status: 401,
    message: 'User is not a member of the organization',
  },
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: { status: 403, message: 'You are not a member of this organization' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to update this organization',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to delete this organization',
  },
  NO_ACTIVE_ORGANIZATION: { status: 400, message: 'No active organization' },
  ORGANIZATION_ID_IS_REQUIRED: { status: 400, message: 'Organization ID is required' },
  MEMBER_NOT_FOUND: { status: 400, message: 'Member not found' },
  ROLE_NOT_FOUND: { status: 400, message: 'Role not found' },
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: {
    status: 400,
    message: 'User is already a member of this organization',
  },
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: {
    status: 400,
    message: 'You cannot leave the organization as the only owner',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: { status: 403, message: 'You are not allowed to delete this member' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: { status: 403, message: 'You are not allowed to update this member' },
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: { status: 403, message: 'Organization membership limit reached' },

  // team
  TEAM_NOT_FOUND: { status: 400, message: 'Team not found' },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: {
    status: 400,
    message: 'You have reached the maximum number of teams',
  },
  UNABLE_TO_REMOVE_LAST_TEAM: { status: 400, message: 'Unable to remove last team' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to create teams in this organization',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to delete teams in this organization',
  },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: { status: 403, message: 'You are not allowed to update this team' },

  // invitation
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not allowed to invite users to this organization',
  },
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: {
    status: 403,
    message: 'you are not allowed to invite user with this role',
  },
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: {
    status: 400,
    message: 'User is already invited to this organization',
  },
  INVITATION_LIMIT_REACHED: { status: 403, message: 'Invitation limit reached' },
  INVITATION_NOT_FOUND: { status: 400, message: 'Invitation not found' },
  FAILED_TO_RETRIEVE_INVITATION: { status: 400, message: 'Failed to retrieve invitation' },
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: { status: 403, message: 'You are not the recipient of the invitation' },
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: {
    status: 403,
    message: 'You are not allowed to cancel this invitation',
  },
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: {
    status: 400,
    message: 'Inviter is no longer a member of the organization',
  },
  NOT_AUTHENTICATED: { status: 401, message: 'Not authenticated' },

  // payment; the five webhook refusals are those of the payment provider’s own verification
  MISSING_REQUIRED_HEADERS: { status: 400, message: 'Missing required headers' },
  INVALID_SIGNATURE_HEADERS: { status: 400, message: 'Invalid Signature Headers' },
  MESSAGE_TIMESTAMP_TOO_OLD: { status: 400, message: 'Message timestamp too old' },
  MESSAGE_TIMESTAMP_TOO_NEW: { status: 400, message: 'Message timestamp too new' },
  NO_MATCHING_SIGNATURE_FOUND: { status: 400, message: 'No matching signature found' },
  PAYMENTS_ARENT_ENABLED: { status: 400, message: "Payments aren't enabled" },
  PAYMENT_WAS_REFUSED: { status: 400, message: 'The payment provider refused the request' },
  PAYMENT_PROVIDER_REJECTED_CREDENTIALS: {
    status: 502,
    message: 'The payment provider rejected the API key',
  },
  PAYMENT_PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The payment provider does not answer. Please try again later.',
  },
  PAYMENT_PROVIDER_INVALID_RESPONSE: { status: 502, message: 'The payment provider gave no usable answer' },
  PAYMENT_IS_REFUNDED: { status: 400, message: 'This payment has already been refunded' },
  PAYMENT_IS_DISPUTED: { status: 400, message: 'The customer disputes this payment' },
  REFUND_IN_PROGRESS: { status: 400, message: 'A refund of this payment is already in progress' },
  PAYMENT_NOT_FOUND: { status: 404, message: 'Payment not found' },
  SUBSCRIPTION_HAS_ENDED: { status: 400, message: 'Subscription has already ended' },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'Subscription not found' },
  SUBSCRIPTION_MUST_END_FIRST: { status: 400, message: 'Cancel or transfer the subscription {id} first' },
  SEAT_LIMIT_REACHED: { status: 403, message: 'Seat limit of the subscription reached' },
  NO_PURCHASES: { status: 400, message: 'There are no purchases yet' },
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING: { status: 403, message: 'You are not allowed to manage billing' },

  // token, oauth and api-key; the messages about keys are those of better-auth's plugin
  INVALID_AUDIENCE: { status: 400, message: 'Invalid audience' },
  INTERACTION_EXPIRED: { status: 400, message: 'The authorization request has expired' },
  USER_CODE_NOT_FOUND: { status: 400, message: 'The code is not valid' },
  CLIENT_NOT_FOUND: { status: 404, message: 'Client not found' },
  API_KEY_NOT_FOUND: { status: 404, message: 'API Key not found' },
  API_KEY_NAME_LENGTH: {
    code: 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
    status: 400,
    message: 'The name length is either too large or too small.',
  },
  API_KEY_PREFIX_LENGTH: {
    code: 'THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
    status: 400,
    message: 'The prefix length is either too large or too small.',
  },
  API_KEY_EXPIRES_TOO_SOON: {
    code: 'THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE',
    status: 400,
    message: 'The expiresIn is smaller than the predefined minimum value.',
  },
  API_KEY_EXPIRES_TOO_LATE: {
    code: 'THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE',
    status: 400,
    message: 'The expiresIn is larger than the predefined maximum value.',
  },
  API_KEY_NOTHING_TO_UPDATE: { code: 'NO_VALUES_TO_UPDATE', status: 400, message: 'No values to update.' },
  API_KEY_METADATA_IS_INVALID: {
    code: 'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED',
    status: 400,
    message: 'metadata must be an object or undefined',
  },
  API_KEY_SERVER_ONLY: {
    code: 'THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY',
    status: 400,
    message: "The property you're trying to set can only be set from the server auth instance only.",
  },
  API_KEY_LIMIT_REACHED: { status: 403, message: 'You have reached the maximum number of API keys' },

  // webhook
  ENDPOINT_NOT_FOUND: { status: 404, message: 'Endpoint not found' },
  ENDPOINT_IS_DISABLED: { status: 400, message: 'The endpoint is disabled' },
  ENDPOINT_LIMIT_REACHED: { status: 400, message: 'You have reached the maximum number of endpoints' },
  ENDPOINT_URL_IS_NOT_ALLOWED: { status: 400, message: 'The URL must be https and lead to a public address' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'Delivery not found' },

  // admin
  YOU_ARE_NOT_AN_ADMINISTRATOR: { status: 403, message: 'You are not an administrator' },
  YOU_CANNOT_REVOKE_YOURSELF: { status: 400, message: 'You cannot revoke your own role' },
  ADMIN_USER_NOT_FOUND: { code: 'USER_NOT_FOUND', status: 404, message: 'User not found' },
  ADMIN_USER_ALREADY_EXISTS: { code: 'USER_ALREADY_EXISTS', status: 400, message: 'User already exists' },
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: { status: 403, message: 'You are not allowed to change users role' },
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: { status: 403, message: 'You are not allowed to create users' },
  JOB_NOT_FOUND: { status: 404, message: 'Job not found' },
  MAIL_NOT_FOUND: { status: 404, message: 'Mail not found' },
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: { status: 403, message: 'You are not allowed to list users' },
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: { status: 403, message: 'You are not allowed to list users sessions' },
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: { status: 403, message: 'You are not allowed to ban users' },
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: { status: 403, message: 'You are not allowed to impersonate users' },
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: {
    status: 403,
    message: 'You are not allowed to revoke users sessions',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: { status: 403, message: 'You are not allowed to delete users' },
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: { status: 403, message: 'You are not allowed to set users password' },
  YOU_CANNOT_BAN_YOURSELF: { status: 400, message: 'You cannot ban yourself' },
  YOU_CANNOT_REMOVE_YOURSELF: { status: 400, message: 'You cannot remove yourself' },
  YOU_CANNOT_IMPERSONATE_ADMINS: { status: 403, message: 'You cannot impersonate admins' },
  YOU_ARE_NOT_IMPERSONATING_ANYONE: { status: 400, message: 'You are not impersonating anyone' },
  NOT_WHILE_IMPERSONATING: { status: 403, message: 'This is not possible while impersonating a user' },
  EVENT_NOT_FOUND: { status: 400, message: 'Event not found' },
  EVENT_CANNOT_BE_APPLIED: { status: 400, message: 'The event cannot be applied' },
  CLIENT_URI_IS_INVALID: {
    status: 400,
    message:
      'URIs must be absolute, percent-encoded, https (http for loopback names), and without fragment, user part or *',
  },
  CLIENT_GRANTS_ARE_INVALID: {
    status: 400,
    message: 'The grant types do not fit the redirect URIs or the kind of client',
  },
  OWNER_NOT_FOUND: { status: 400, message: 'Owner not found' },
  PURCHASE_CANNOT_BE_ASSIGNED: {
    status: 400,
    message: 'The purchase is already assigned, or its event has not been received yet',
  },

  // JSON responses of links without a callbackURL; with one, the code of the same name is sent in its query
  LINK_TOKEN_EXPIRED: { code: 'TOKEN_EXPIRED', status: 401, message: 'token_expired' },
  LINK_INVALID_TOKEN: { code: 'INVALID_TOKEN', status: 401, message: 'invalid_token' },
  LINK_USER_NOT_FOUND: { code: 'USER_NOT_FOUND', status: 401, message: 'user_not_found' },
  LINK_UNAUTHORIZED: { code: 'UNAUTHORIZED', status: 401, message: 'unauthorized' },
} as const satisfies Record<string, { status: number; message: string; code?: string }>

export type RefusalKey = keyof typeof refusals

/** Refusals because a signed-in user lacks a permission. Each is recorded as an event. */
const permissionRefusals: ReadonlySet<RefusalKey> = new Set<RefusalKey>([
  'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION',
  'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  'NOT_A_MEMBER_FORBIDDEN',
  'NOT_A_MEMBER_UNAUTHORIZED',
  'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
  'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
  'YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM',
  'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
  'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
  'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
  'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION',
  'YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING',
  'YOU_ARE_NOT_AN_ADMINISTRATOR',
  'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE',
  'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS',
  'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
  'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS',
  'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS',
  'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS',
  'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS',
  'YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS',
  'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD',
])

export function isPermissionRefusal(key: RefusalKey): boolean {
  return permissionRefusals.has(key)
}

/** The response code of a refusal, with `{ID}` replaced by `id`. */
export function codeOf(key: RefusalKey, id = ''): string {
  const refusal = refusals[key]
  return 'code' in refusal ? refusal.code.replace('{ID}', id.toUpperCase()) : key
}

/** The response message of a refusal, with `{id}` replaced by `id`. */
export function messageOf(key: RefusalKey, id = ''): string {
  return refusals[key].message.replace('{id}', id)
}

export function isRefusalKey(text: string): text is RefusalKey {
  return Object.hasOwn(refusals, text)
}

/** Codes in the `error` query of an emailed link's target page, and the refusal if there is no target. */
export const linkErrors = {
  token_expired: 'LINK_TOKEN_EXPIRED',
  invalid_token: 'LINK_INVALID_TOKEN',
  user_not_found: 'LINK_USER_NOT_FOUND',
  unauthorized: 'LINK_UNAUTHORIZED',
  // GET /reset-password/{token} always redirects to a page. The key is the refusal of the reset call itself.
  INVALID_TOKEN: 'RESET_INVALID_TOKEN',
} as const satisfies Record<string, RefusalKey>

export type LinkErrorCode = keyof typeof linkErrors

export function isLinkErrorCode(code: string): code is LinkErrorCode {
  return Object.hasOwn(linkErrors, code)
}

/** Codes in the `error` query after a provider sign-in, in addition to those sent by the provider. */
export const callbackCodes = [
  'invalid_callback_request',
  'state_not_found',
  'please_restart_the_process',
  'no_code',
  'oauth_provider_not_found',
  'invalid_code',
  'unable_to_get_user_info',
  'email_not_found',
  'no_callback_url',
  'account_already_linked_to_different_user',
  'unable_to_link_account',
  'account_not_linked',
  'signup_disabled',
  'unable_to_create_user',
  'unable_to_create_session',
  'banned',
  'identity_mismatch',
  'internal_server_error',
  // Sent by providers when the user declines.
  'access_denied',
] as const
export type CallbackCode = (typeof callbackCodes)[number]

export function isCallbackCode(code: string): code is CallbackCode {
  return callbackCodes.some((known) => known === code)
}
