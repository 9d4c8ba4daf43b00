import type { MailTexts } from '../mail-texts.ts'

/** The French texts of all mails. */
export const fr: MailTexts = {
  common: {
    when: 'Quand',
    device: 'Appareil',
    unknownDevice: 'Inconnu',
    hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  },
  roles: {
    owner: 'Propriétaire',
    admin: 'Administrateur',
    member: 'Membre',
  },
  mails: {
    verifyEmail: {
      subject: 'Confirmez votre adresse',
      title: 'Confirmez votre adresse, {name}',
      lines: ['Un clic prouve que {email} vous appartient. Le lien est valable jusqu’au {until}.'],
      action: 'Confirmer l’adresse',
      closing: 'Vous n’avez pas créé de compte ? Ignorez ce message : sans ce clic, rien ne se passe.',
    },
    signUpAttempt: {
      subject: 'Quelqu’un a voulu créer un compte avec votre adresse',
      title: 'Vous avez déjà un compte',
      lines: [
        'Quelqu’un, peut-être vous, a voulu créer un nouveau compte avec {email}. Rien n’a été modifié.',
        'Si c’était vous : connectez-vous avec votre mot de passe. Si vous ne le connaissez plus, ou si vous n’avez jamais utilisé ce compte, choisissez-en un nouveau à cet endroit.',
      ],
      action: 'Se connecter',
      closing: 'Si ce n’était pas vous, vous n’avez rien à faire. Cette personne n’a rien appris sur votre compte.',
    },
    resetPassword: {
      subject: 'Choisissez un nouveau mot de passe',
      title: 'Choisissez un nouveau mot de passe',
      lines: [
        'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {email}. Le lien fonctionne une seule fois, jusqu’au {until}. Toutes les sessions prendront fin.',
      ],
      action: 'Choisir le mot de passe',
      closing: 'Ce n’était pas vous ? Ignorez ce message : votre mot de passe reste le même.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Votre mot de passe a été modifié',
      lines: ['Le mot de passe de {email} vient d’être remplacé.'],
      closing:
        'Ce n’était pas vous ? Choisissez-en tout de suite un nouveau par « Mot de passe oublié ? » à la connexion : cela met fin à toutes les sessions.',
    },
    confirmEmailChange: {
      subject: 'Confirmez votre nouvelle adresse',
      title: 'Voulez-vous changer d’adresse ?',
      lines: [
        'Votre compte doit passer de {email} à {newEmail}. Ouvrez le lien dans le navigateur où vous êtes connecté, jusqu’au {until}. La nouvelle adresse sera ensuite confirmée par un message à part.',
      ],
      action: 'Changer l’adresse',
      closing:
        'Ce n’était pas vous ? Ignorez ce message et changez votre mot de passe : quelqu’un est connecté à votre compte.',
    },
    emailChanged: {
      subject: 'Votre adresse a été modifiée',
      title: 'Votre compte a une nouvelle adresse',
      lines: ['Votre compte n’appartient plus à {email}. Désormais, ses messages vont à {newEmail}.'],
      closing:
        'Ce n’était pas vous ? Écrivez sans attendre à l’exploitant de ce service ; ce message est votre preuve.',
    },
    confirmDeletion: {
      subject: 'Supprimer votre compte ?',
      title: 'Voulez-vous supprimer votre compte ?',
      lines: [
        'Avec ce lien, vous supprimez définitivement le compte de {email} et tout ce qui en fait partie. Il fonctionne une seule fois, jusqu’au {until}, dans le navigateur où vous êtes connecté.',
      ],
      action: 'Supprimer le compte',
      closing:
        'Ce n’était pas vous ? Ignorez ce message et changez votre mot de passe : quelqu’un est connecté à votre compte.',
    },
    deleted: {
      subject: 'Votre compte a été supprimé',
      title: 'Au revoir, {name}',
      lines: ['Le compte de {email} et tout ce qui en faisait partie sont supprimés.'],
      closing: 'Ce n’était pas vous ? Écrivez à l’exploitant de ce service ; ce message est votre preuve.',
    },
    accountLinked: {
      subject: '{provider} a été associé à votre compte',
      title: '{provider} a été associé à votre compte',
      lines: ['Vous pouvez désormais vous connecter à {email} avec {provider}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, dissociez {provider} dans vos paramètres et changez immédiatement votre mot de passe.',
    },
    accountUnlinked: {
      subject: '{provider} a été dissocié de votre compte',
      title: '{provider} a été dissocié de votre compte',
      lines: ['{provider} ne permet plus de se connecter à {email}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, changez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    usernameChanged: {
      subject: 'Votre nom d’utilisateur a été modifié',
      title: 'Votre nom d’utilisateur a été modifié',
      lines: ['Le nom d’utilisateur de {email} est désormais {username}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, changez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    confirmIdentity: {
      subject: 'Votre code de confirmation',
      title: 'Votre code de confirmation',
      lines: [
        'Saisissez ce code pour confirmer qu’il s’agit bien de vous : {code}',
        'Ce code ne fonctionne qu’une seule fois. Date d’expiration : {until}.',
      ],
      closing:
        'Si vous n’avez pas demandé ce code, quelqu’un utilise votre compte : fermez toutes les sessions dans vos paramètres. Ne communiquez jamais ce code.',
    },
    emailChangeRejected: {
      subject: 'Votre ancienne adresse e-mail a été rétablie',
      title: 'Votre ancienne adresse e-mail a été rétablie',
      lines: [
        'Le titulaire de {newEmail} nous a indiqué que cette adresse n’appartient pas à votre compte. Votre compte utilise de nouveau {email}.',
      ],
      closing: 'Si vous avez mal saisi la nouvelle adresse, modifiez-la à nouveau dans vos paramètres.',
    },
    administratorGranted: {
      subject: 'Vous avez désormais les droits d’administrateur',
      title: 'Vous avez désormais les droits d’administrateur',
      lines: ['{email} a désormais les droits d’administrateur.'],
      closing: 'Si vous ne vous y attendiez pas, contactez les responsables de ce service.',
    },
    administratorAdded: {
      subject: 'Nouvel administrateur : {newAdministrator}',
      title: 'Nouvel administrateur : {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) a désormais les droits d’administrateur.'],
      closing: 'Si vous ne vous y attendiez pas, révoquez ce rôle dans l’administration.',
    },
    administratorRevoked: {
      subject: 'Vous n’avez plus les droits d’administrateur',
      title: 'Vous n’avez plus les droits d’administrateur',
      lines: ['{email} n’a plus les droits d’administrateur.'],
      closing: 'Si vous avez des questions, contactez les responsables de ce service.',
    },
    newDevice: {
      subject: 'Un nouvel appareil est connecté',
      title: 'Un nouvel appareil est connecté',
      lines: ['Quelqu’un vient de se connecter à {email} avec un appareil que nous ne connaissions pas.'],
      closing:
        'C’était vous ? Alors tout va bien. Sinon, changez votre mot de passe tout de suite et mettez fin à la session dans vos réglages.',
    },
    roleChanged: {
      subject: 'Votre rôle dans {organization} a changé',
      title: 'Votre rôle dans {organization} a changé',
      lines: ['Modifié par {actor}. Votre rôle est maintenant : {role}.'],
      action: 'Ouvrir {organization}',
      closing: 'Des questions ? Les propriétaires de {organization} peuvent y répondre.',
    },
    memberRemoved: {
      subject: 'Vous n’êtes plus membre de {organization}',
      title: 'Vous n’êtes plus membre de {organization}',
      lines: ['{actor} a mis fin à votre adhésion. Votre compte reste inchangé.'],
      closing: 'Si c’est une erreur, demandez une nouvelle invitation à {actor}.',
    },
    ownershipReceived: {
      subject: 'Vous êtes maintenant propriétaire de {organization}',
      title: 'Vous êtes maintenant propriétaire de {organization}',
      lines: ['{actor} vous a donné ce rôle. Vous pouvez tout y modifier, la supprimer et transmettre la propriété.'],
      action: 'Ouvrir {organization}',
      closing: 'Si vous ne le souhaitez pas, vous pouvez transmettre la propriété à un autre membre.',
    },
    invitation: {
      subject: '{actor} vous invite à rejoindre {organization}',
      title: '{actor} vous invite à rejoindre {organization}',
      lines: ['Votre rôle : {role}. L’invitation est valable jusqu’au {until}.'],
      action: 'Voir l’invitation',
      closing: 'Vous ne connaissez pas {actor} ? Ignorez ce message : sans vous, rien ne se passe.',
    },
    invitationAccepted: {
      subject: '{actor} a rejoint {organization}',
      title: '{actor} a rejoint {organization}',
      lines: ['Votre invitation à {address} a été acceptée. Rôle : {role}.'],
      action: 'Voir les membres',
      closing: 'Vous recevez ce message parce que vous avez envoyé l’invitation.',
    },
    paymentFailed: {
      subject: 'Un paiement a échoué',
      title: 'Un paiement a échoué',
      lines: [
        'Le paiement pour {about} n’a pas été accepté. Vérifiez la carte ou choisissez un autre moyen ; une nouvelle tentative suivra.',
      ],
      action: 'Voir la facturation',
      closing: 'Votre accès reste inchangé pour l’instant.',
    },
    subscriptionOnHold: {
      subject: 'Un abonnement est suspendu',
      title: 'Un abonnement est suspendu',
      lines: [
        'L’abonnement de {about} est suspendu car le paiement manque. Renouvelez le moyen de paiement et il reprendra.',
      ],
      action: 'Voir la facturation',
      closing: 'Sans paiement, les droits de l’abonnement prennent fin.',
    },
    subscriptionEnded: {
      subject: 'Un abonnement a pris fin',
      title: 'Un abonnement a pris fin',
      lines: ['L’abonnement de {about} a pris fin. Vous pouvez le reprendre quand vous voulez.'],
      action: 'Voir la facturation',
      closing: 'Vos paiements restent dans la liste.',
    },
  },
}
