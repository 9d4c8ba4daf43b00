/**
 * The English texts of all mails: the other languages have the same keys, and the compiler says what is missing. Names in
 * braces are filled in: `{name}` and `{email}` of the addressee and `{until}` in every mail, others from its cause.
 */
export const en = {
  common: {
    when: 'When',
    device: 'Device',
    unknownDevice: 'Unknown',
    hint: 'If the button does not work, open this address:',
  },
  roles: {
    owner: 'Owner',
    admin: 'Administrator',
    member: 'Member',
  },
  mails: {
    verifyEmail: {
      subject: 'Confirm your address',
      title: 'Confirm your address, {name}',
      lines: ['One click proves that {email} is yours. The link works until {until}.'],
      action: 'Confirm the address',
      closing: 'You did not make an account? Then leave this mail alone: without the click nothing happens.',
    },
    signUpAttempt: {
      subject: 'Somebody tried to make an account with your address',
      title: 'You already have an account',
      lines: [
        'Somebody, perhaps you, tried to make a new account with {email}. Nothing was changed.',
        'If it was you: sign in with your password. If you no longer know it, or never used this account, set a new one there.',
      ],
      action: 'Sign in',
      closing: 'If it was not you, you need not do anything. Whoever it was learned nothing about your account.',
    },
    resetPassword: {
      subject: 'Set a new password',
      title: 'Set a new password',
      lines: [
        'Somebody, probably you, asked for a new password for {email}. The link works once, until {until}. Setting it ends all sessions.',
      ],
      action: 'Set the password',
      closing: 'It was not you? Then leave this mail alone: your password stays as it is.',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      lines: ['The password of {email} is a new one since just now.'],
      closing:
        'It was not you? Set a new password at once by “Forgot your password?” at the sign-in: that ends every session.',
    },
    confirmEmailChange: {
      subject: 'Confirm your new address',
      title: 'Do you want to change your address?',
      lines: [
        'Your account is to move from {email} to {newEmail}. Open the link in the browser in which you are signed in, until {until}. Then the new address is proven by a mail of its own.',
      ],
      action: 'Change the address',
      closing:
        'It was not you? Then leave this mail alone and change your password: somebody is signed in to your account.',
    },
    emailChanged: {
      subject: 'Your address was changed',
      title: 'Your account has a new address',
      lines: ['Your account no longer belongs to {email}. From now on its mails go to {newEmail}.'],
      closing: 'It was not you? Write to whoever runs this service at once; this mail is your proof.',
    },
    confirmDeletion: {
      subject: 'Delete your account?',
      title: 'Do you want to delete your account?',
      lines: [
        'With the link you delete the account of {email} and everything that belongs to it, for good. It works once, until {until}, in the browser in which you are signed in.',
      ],
      action: 'Delete the account',
      closing:
        'It was not you? Then leave this mail alone and change your password: somebody is signed in to your account.',
    },
    deleted: {
      subject: 'Your account was deleted',
      title: 'Goodbye, {name}',
      lines: ['The account of {email} and everything that belonged to it are deleted.'],
      closing: 'It was not you? Write to whoever runs this service; this mail is your proof.',
    },
    accountLinked: {
      subject: '{provider} was linked to your account',
      title: '{provider} was linked to your account',
      lines: ['You can now sign in to {email} with {provider}.'],
      closing: 'If this was not you, unlink {provider} in your settings and change your password right away.',
    },
    accountUnlinked: {
      subject: '{provider} was unlinked from your account',
      title: '{provider} was unlinked from your account',
      lines: ['{provider} can no longer be used to sign in to {email}.'],
      closing: 'If this was not you, change your password right away and check the sessions in your settings.',
    },
    usernameChanged: {
      subject: 'Your username was changed',
      title: 'Your username was changed',
      lines: ['The username of {email} is now {username}.'],
      closing: 'If this was not you, change your password right away and check the sessions in your settings.',
    },
    confirmIdentity: {
      subject: 'Your confirmation code',
      title: 'Your confirmation code',
      lines: ['Enter this code to confirm that it is you: {code}', 'The code works once, until {until}.'],
      closing:
        'If you did not ask for this, somebody is using your account: sign out all sessions in your settings. Never share this code.',
    },
    emailChangeRejected: {
      subject: 'Your email address was changed back',
      title: 'Your email address was changed back',
      lines: [
        'The owner of {newEmail} told us that this address does not belong to your account. Your account uses {email} again.',
      ],
      closing: 'If you mistyped the new address, change it again in your settings.',
    },
    administratorGranted: {
      subject: 'You are now an administrator',
      title: 'You are now an administrator',
      lines: ['{email} now has administrator rights.'],
      closing: 'If you did not expect this, contact the people who operate this service.',
    },
    administratorAdded: {
      subject: 'New administrator: {newAdministrator}',
      title: 'New administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) now has administrator rights.'],
      closing: 'If you did not expect this, revoke the role in the administration.',
    },
    administratorRevoked: {
      subject: 'You are no longer an administrator',
      title: 'You are no longer an administrator',
      lines: ['{email} no longer has administrator rights.'],
      closing: 'If you have questions, contact the people who operate this service.',
    },
    newDevice: {
      subject: 'A new device is signed in',
      title: 'A new device is signed in',
      lines: ['Somebody has just signed in to {email} with a device that we have not seen before.'],
      closing:
        'It was you? Then all is well. If not, change your password at once and end the session in your settings.',
    },
    roleChanged: {
      subject: 'Your role in {organization} has changed',
      title: 'Your role in {organization} has changed',
      lines: ['{actor} changed it. Your role is now: {role}.'],
      action: 'Open {organization}',
      closing: 'Questions? The owners of {organization} can answer them.',
    },
    memberRemoved: {
      subject: 'You are no longer a member of {organization}',
      title: 'You are no longer a member of {organization}',
      lines: ['{actor} ended your membership. Your account stays as it is.'],
      closing: 'If this is a mistake, ask {actor} for a new invitation.',
    },
    ownershipReceived: {
      subject: 'You are now an owner of {organization}',
      title: 'You are now an owner of {organization}',
      lines: ['{actor} made you an owner. You may change everything there, delete it, and give the ownership on.'],
      action: 'Open {organization}',
      closing: 'If you do not want this, you can give the ownership to another member.',
    },
    invitation: {
      subject: '{actor} invites you to {organization}',
      title: '{actor} invites you to {organization}',
      lines: ['You would join as: {role}. The invitation holds until {until}.'],
      action: 'See the invitation',
      closing: 'You do not know {actor}? Then leave this mail alone: without you nothing happens.',
    },
    invitationAccepted: {
      subject: '{actor} has joined {organization}',
      title: '{actor} has joined {organization}',
      lines: ['Your invitation to {address} was accepted. Role: {role}.'],
      action: 'See the members',
      closing: 'You get this mail because you sent the invitation.',
    },
    paymentFailed: {
      subject: 'A payment did not go through',
      title: 'A payment did not go through',
      lines: [
        'The payment for {about} was not accepted. Check the card or choose another way to pay; it is tried again then.',
      ],
      action: 'See the billing',
      closing: 'Your access stays as it is for now.',
    },
    subscriptionOnHold: {
      subject: 'A subscription is on hold',
      title: 'A subscription is on hold',
      lines: [
        'The subscription for {about} is on hold, because its payment is missing. Renew the way to pay, and it goes on.',
      ],
      action: 'See the billing',
      closing: 'Without a payment the rights of the subscription end.',
    },
    subscriptionEnded: {
      subject: 'A subscription has ended',
      title: 'A subscription has ended',
      lines: ['The subscription for {about} has ended. You can take it up again whenever you like.'],
      action: 'See the billing',
      closing: 'What you paid for stays in your list of payments.',
    },
  },
} as const
