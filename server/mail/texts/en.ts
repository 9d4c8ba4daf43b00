/**
 * The English texts of all emails. The other languages have the same keys, and the compiler reports missing ones. Names
 * in braces are filled in: `{name}` and `{email}` of the recipient and `{until}` in every email, others depend on its
 * cause.
 */
export const en = {
  common: {
    when: 'When',
    device: 'Device',
    unknownDevice: 'Unknown',
    hint: 'If the button doesn’t work, open this link:',
    password: 'Password',
  },
  roles: {
    owner: 'Owner',
    admin: 'Administrator',
    member: 'Member',
  },
  mails: {
    verifyEmail: {
      subject: 'Verify your email',
      title: 'Verify your email, {name}',
      lines: ['Confirm that {email} is yours. The link works until {until}.'],
      action: 'Verify email',
      closing: 'If you didn’t request this, ignore this email. Nothing happens unless you open the link.',
    },
    signUpAttempt: {
      subject: 'Someone tried to create an account with your email',
      title: 'You already have an account',
      lines: [
        'Someone, perhaps you, tried to create a new account with {email}. Nothing was changed.',
        'If it was you, sign in with your password. If you forgot it or never used this account, you can set a new one on the sign-in page.',
      ],
      action: 'Sign in',
      closing: 'If it wasn’t you, ignore this email. No information about your account was shared.',
    },
    resetPassword: {
      subject: 'Reset your password',
      title: 'Reset your password',
      lines: [
        'Someone, probably you, asked to reset the password for {email}. The link works once and expires on {until}. Setting a new password signs out all sessions.',
      ],
      action: 'Set new password',
      closing: 'If it wasn’t you, ignore this email. Your password stays the same.',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      lines: ['The password for {email} was just changed.'],
      closing:
        'If it wasn’t you, select “Forgot your password?” on the sign-in page and set a new one right away. This signs out all sessions.',
    },
    confirmEmailChange: {
      subject: 'Confirm your email change',
      title: 'Change your email?',
      lines: [
        'You asked to change the email of your account from {email} to {newEmail}. Open the link before {until} in the browser where you’re signed in. We’ll then send a verification link to {newEmail}.',
      ],
      action: 'Change email',
      closing:
        'If it wasn’t you, don’t open the link and change your password right away. Someone else is signed in to your account.',
    },
    emailChanged: {
      subject: 'Your email was changed',
      title: 'Your email was changed',
      lines: ['Your account no longer uses {email}. From now on, we send all emails to {newEmail}.'],
      closing: 'If it wasn’t you, contact support right away and keep this email as proof.',
    },
    confirmDeletion: {
      subject: 'Delete your account?',
      title: 'Delete your account?',
      lines: [
        'Use this link to permanently delete the account for {email} and all its data. It works once, only in the browser where you’re signed in, and expires on {until}.',
      ],
      action: 'Delete account',
      closing:
        'If it wasn’t you, don’t open the link and change your password right away. Someone else is signed in to your account.',
    },
    deleted: {
      subject: 'Your account was deleted',
      title: 'Goodbye, {name}',
      lines: ['The account for {email} and all its data were deleted.'],
      closing: 'If it wasn’t you, contact support and keep this email as proof.',
    },
    apiKeyCreated: {
      subject: 'An API key was created',
      title: 'An API key was created',
      lines: ['The API key {key} was created for your account {email}. Anyone with this key can act on your behalf.'],
      closing: 'If it wasn’t you, delete the key in your settings and change your password right away.',
    },
    twoFactorEnabled: {
      subject: 'Two-step verification is on',
      title: 'Two-step verification is on',
      lines: [
        'From now on, signing in to {email} also needs a code from your authenticator app. Your other sessions were signed out.',
      ],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    twoFactorDisabled: {
      subject: 'Two-step verification is off',
      title: 'Two-step verification is off',
      lines: ['Signing in to {email} no longer needs a code. The recovery codes no longer work.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    recoveryCodesReplaced: {
      subject: 'Your recovery codes were replaced',
      title: 'Your recovery codes were replaced',
      lines: ['New recovery codes were created for {email}. The old codes no longer work.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used',
      title: 'A recovery code was used',
      lines: ['A recovery code was used to sign in to {email}. Codes left: {left}'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    signInCode: {
      subject: 'Your sign-in code',
      title: 'Your sign-in code',
      lines: ['Enter this code to sign in to {email}: {code}', 'The code works once and expires on {until}.'],
      closing: 'If you didn’t request this, ignore this email. Never share this code.',
    },
    verificationCode: {
      subject: 'Your verification code',
      title: 'Your verification code',
      lines: ['Enter this code to verify {email}: {code}', 'The code works once and expires on {until}.'],
      closing: 'If you didn’t request this, ignore this email. Never share this code.',
    },
    resetCode: {
      subject: 'Your password reset code',
      title: 'Your password reset code',
      lines: [
        'Enter this code to set a new password for {email}: {code}',
        'The code works once and expires on {until}.',
      ],
      closing: 'If you didn’t request this, ignore this email. Never share this code.',
    },
    signInLink: {
      subject: 'Your sign-in link',
      title: 'Your sign-in link',
      lines: [
        'Open the link in the browser where you requested it, or enter this code there: {code}',
        'The link and the code work once and expire on {until}.',
      ],
      action: 'Sign in',
      closing: 'If you didn’t request this, ignore this email. Never share this code.',
    },
    passkeyAdded: {
      subject: 'A passkey was added',
      title: 'A passkey was added',
      lines: ['The passkey {key} was added. You can use it to sign in to {email} without a password.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed',
      title: 'A passkey was removed',
      lines: ['The passkey {key} of {email} was removed. It can no longer be used to sign in.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    passkeyRefused: {
      subject: 'A passkey was rejected',
      title: 'A passkey was rejected',
      lines: [
        'The passkey {key} of {email} was rejected because it may have been copied. If you just used it, remove it in the security settings and add a new one.',
      ],
      action: 'Open security settings',
      closing: 'If it wasn’t you, remove it right away and check the sessions in your settings.',
    },
    twoFactorRemovalCanceled: {
      subject: 'Two-step verification stays on',
      title: 'Two-step verification stays on',
      lines: [
        'The removal of two-step verification from {email} was canceled: a second factor was used, or someone signed in to your account canceled it.',
      ],
      closing: 'If it wasn’t you, ask an administrator to sign you out everywhere.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Sign-in methods were removed',
      title: 'Sign-in methods were removed',
      lines: [
        'You confirmed that {email} is yours. Passkeys and authenticator apps added before then were removed, because someone else may have added them.',
        'If they were yours, add them again in the security settings.',
      ],
      action: 'Open security settings',
      closing: 'If you didn’t expect this, contact support.',
    },
    twoFactorRemoval: {
      subject: 'Two-step verification will be removed',
      title: 'Two-step verification will be removed',
      lines: [
        'An administrator will remove two-step verification from {email} on {until} because your second factor was reported as lost. To cancel this, sign in with one of your codes.',
      ],
      closing: 'If you didn’t request this, change your password right away and check the sessions in your settings.',
    },
    secondStepCode: {
      subject: 'Your two-step verification code',
      title: 'Your two-step verification code',
      lines: ['Enter this code to finish signing in to {email}: {code}', 'The code works once and expires on {until}.'],
      closing: 'If it wasn’t you, someone knows your password: change it right away. Never share this code.',
    },
    secondStepFailed: {
      subject: 'Wrong codes at sign-in',
      title: 'Wrong codes at sign-in',
      lines: [
        'Five wrong codes were entered for {email}. The step before that succeeded, so someone may know your password.',
      ],
      closing: 'If it wasn’t you, change your password right away.',
    },
    endpointDisabled: {
      subject: 'A webhook was disabled',
      title: 'A webhook was disabled',
      lines: [
        'No event could be delivered to {host} for five days, so events are no longer sent there. Events from this period are kept and can be read through the API.',
      ],
      action: 'View deliveries',
      closing: 'Fix the receiver, then enable the webhook again. Pending events will then be sent.',
    },
    endpointGone: {
      subject: 'A webhook was disabled',
      title: 'A webhook was disabled',
      lines: [
        '{host} responded to an event with “410 Gone”, which means it no longer wants to receive events, so they are no longer sent there. New events are kept and can be read through the API.',
      ],
      action: 'View deliveries',
      closing:
        'If this wasn’t intended, fix the receiver, then enable the webhook again. Pending events will then be sent.',
    },
    accountLinked: {
      subject: '{provider} was linked to your account',
      title: '{provider} was linked to your account',
      lines: ['You can now sign in to your account {email} with {provider}.'],
      closing: 'If it wasn’t you, unlink {provider} in your settings and change your password right away.',
    },
    accountUnlinked: {
      subject: '{provider} was unlinked from your account',
      title: '{provider} was unlinked from your account',
      lines: ['{provider} can no longer be used to sign in to your account {email}.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    usernameChanged: {
      subject: 'Your username was changed',
      title: 'Your username was changed',
      lines: ['The username of {email} is now {username}.'],
      closing: 'If it wasn’t you, change your password right away and check the sessions in your settings.',
    },
    confirmIdentity: {
      subject: 'Your confirmation code',
      title: 'Your confirmation code',
      lines: ['Enter this code to confirm it’s you: {code}', 'The code works once and expires on {until}.'],
      closing:
        'If you didn’t request this, someone else is using your account. Sign out all other sessions in your settings. Never share this code.',
    },
    emailChangeRejected: {
      subject: 'Your email was changed back',
      title: 'Your email was changed back',
      lines: [
        'The owner of {newEmail} told us that it doesn’t belong to your account. Your account uses {email} again.',
      ],
      closing: 'If you mistyped the new email, change it again in your settings.',
    },
    accountCreated: {
      subject: 'An account was created for you',
      title: 'An account was created for you',
      lines: [
        '{actor} created an account for {email}.',
        'Sign in with the password you were given. To choose your own, select “Forgot your password?” on the sign-in page.',
      ],
      action: 'Sign in',
      closing: 'If you didn’t expect this, ignore this email or contact support.',
    },
    administratorGranted: {
      subject: 'You’re now an administrator',
      title: 'You’re now an administrator',
      lines: [
        '{email} now has the administrator role.',
        'Passkeys on your account: {passkeys}. In the security settings, remove any that you didn’t add, and an authenticator app that you didn’t set up.',
      ],
      action: 'Open security settings',
      closing: 'If you didn’t expect this, contact support.',
    },
    administratorAdded: {
      subject: 'New administrator: {newAdministrator}',
      title: 'New administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) now has the administrator role.'],
      closing: 'If you didn’t expect this, revoke the role under Administration.',
    },
    administratorRevoked: {
      subject: 'You’re no longer an administrator',
      title: 'You’re no longer an administrator',
      lines: ['{email} no longer has the administrator role.'],
      closing: 'If you have questions, contact support.',
    },
    newDevice: {
      subject: 'New sign-in to your account',
      title: 'New sign-in to your account',
      lines: ['Someone just signed in to your account {email} on a new device.'],
      closing:
        'If it was you, there’s nothing to do. If not, change your password right away and sign out the session in your settings.',
    },
    roleChanged: {
      subject: 'Your role in {organization} was changed',
      title: 'Your role in {organization} was changed',
      lines: ['{actor} changed your role to: {role}.'],
      action: 'Open {organization}',
      closing: 'If you have questions, contact an owner of {organization}.',
    },
    secondFactorRequired: {
      subject: '{organization} requires a second factor',
      title: '{organization} requires a second factor',
      lines: [
        'Starting {until}, members need a second factor to open {organization}: a passkey or an authenticator app. You don’t have one yet.',
      ],
      action: 'Set up a second factor',
      closing: 'If you have questions, contact an owner of {organization}.',
    },
    memberRemoved: {
      subject: 'You were removed from {organization}',
      title: 'You were removed from {organization}',
      lines: ['{actor} removed you from the organization. Your account isn’t affected.'],
      closing: 'If this is a mistake, ask {actor} for a new invitation.',
    },
    ownershipReceived: {
      subject: 'You’re now an owner of {organization}',
      title: 'You’re now an owner of {organization}',
      lines: [
        '{actor} made you an owner. You can change all settings of the organization, delete it, and transfer ownership.',
      ],
      action: 'Open {organization}',
      closing: 'If you don’t want this role, you can transfer ownership to another member.',
    },
    invitation: {
      subject: '{actor} invited you to {organization}',
      title: '{actor} invited you to {organization}',
      lines: ['Your role will be: {role}. The invitation expires on {until}.'],
      action: 'View invitation',
      closing: 'If you don’t know {actor}, ignore this email. Nothing happens unless you accept.',
    },
    invitationAccepted: {
      subject: '{actor} joined {organization}',
      title: '{actor} joined {organization}',
      lines: ['Your invitation to {inviteeEmail} was accepted. Role: {role}.'],
      action: 'View members',
      closing: 'You’re receiving this email because you sent the invitation.',
    },
    paymentFailed: {
      subject: 'Payment failed',
      title: 'Payment failed',
      lines: [
        'The payment for {about} failed. Check your card or use another payment method. The payment will then be retried.',
      ],
      action: 'View billing',
      closing: 'You keep your access for now.',
    },
    subscriptionPastDue: {
      subject: 'Your payment is past due',
      title: 'Your payment is past due',
      lines: ['A subscription payment for {about} failed. Update your payment method to keep your subscription.'],
      action: 'View billing',
      closing: 'You keep your access for now.',
    },
    trialEnding: {
      subject: 'Your free trial ends soon',
      title: 'Your free trial ends soon',
      lines: ['The free trial for {about} ends on {until}. After that, the subscription is charged.'],
      action: 'View billing',
      closing: 'If you don’t want to continue, cancel the subscription before then.',
    },
    subscriptionOnHold: {
      subject: 'Your subscription is on hold',
      title: 'Your subscription is on hold',
      lines: [
        'The subscription for {about} is on hold because a payment is overdue. Update your payment method to keep your subscription.',
      ],
      action: 'View billing',
      closing: 'Without a payment, you lose access to the features of the subscription.',
    },
    subscriptionEnded: {
      subject: 'Your subscription has ended',
      title: 'Your subscription has ended',
      lines: ['The subscription for {about} has ended. You can subscribe again at any time.'],
      action: 'View billing',
      closing: 'Your past payments stay listed under Billing.',
    },
  },
} as const
