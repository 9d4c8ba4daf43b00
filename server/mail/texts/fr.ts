import type { MailTexts } from '../mail-texts.ts'

/** The French texts of all emails. */
export const fr: MailTexts = {
  common: {
    when: 'Date et heure',
    device: 'Appareil',
    unknownDevice: 'Inconnu',
    hint: 'Si le bouton ne fonctionne pas, ouvrez ce lien :',
    password: 'Mot de passe',
  },
  roles: {
    owner: 'Propriétaire',
    admin: 'Administrateur',
    member: 'Membre',
  },
  mails: {
    verifyEmail: {
      subject: 'Vérifiez votre adresse e-mail',
      title: 'Vérifiez votre adresse e-mail, {name}',
      lines: ['Confirmez que l’adresse {email} est la vôtre. Le lien fonctionne jusqu’au {until}.'],
      action: 'Vérifier l’adresse e-mail',
      closing:
        'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Rien ne se passe tant que vous n’ouvrez pas le lien.',
    },
    signUpAttempt: {
      subject: 'Quelqu’un a essayé de créer un compte avec votre adresse e-mail',
      title: 'Vous avez déjà un compte',
      lines: [
        'Quelqu’un, peut-être vous, a essayé de créer un nouveau compte avec {email}. Rien n’a été modifié.',
        'Si c’était vous, connectez-vous avec votre mot de passe. Si vous l’avez oublié ou si vous n’avez jamais utilisé ce compte, définissez-en un nouveau depuis la page de connexion.',
      ],
      action: 'Se connecter',
      closing: 'Si ce n’était pas vous, ignorez cet e-mail. Aucune information sur votre compte n’a été communiquée.',
    },
    resetPassword: {
      subject: 'Réinitialisez votre mot de passe',
      title: 'Réinitialisez votre mot de passe',
      lines: [
        'Quelqu’un, probablement vous, a demandé la réinitialisation du mot de passe du compte {email}. Le lien fonctionne une seule fois et expire le {until}. Définir un nouveau mot de passe déconnecte toutes les sessions.',
      ],
      action: 'Définir un nouveau mot de passe',
      closing: 'Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe reste inchangé.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Votre mot de passe a été modifié',
      lines: ['Le mot de passe du compte {email} vient d’être modifié.'],
      closing:
        'Si ce n’était pas vous, sélectionnez « Mot de passe oublié ? » sur la page de connexion et définissez-en immédiatement un nouveau. Cela déconnecte toutes les sessions.',
    },
    confirmEmailChange: {
      subject: 'Confirmez la modification de votre adresse e-mail',
      title: 'Modifier votre adresse e-mail ?',
      lines: [
        'Vous avez demandé à remplacer l’adresse e-mail de votre compte, {email}, par {newEmail}. Ouvrez le lien dans le navigateur où votre session est ouverte ; il fonctionne jusqu’au {until}. Nous enverrons ensuite un lien de vérification à {newEmail}.',
      ],
      action: 'Modifier l’adresse e-mail',
      closing:
        'Si ce n’était pas vous, n’ouvrez pas le lien et modifiez immédiatement votre mot de passe. Quelqu’un d’autre est connecté à votre compte.',
    },
    emailChanged: {
      subject: 'Votre adresse e-mail a été modifiée',
      title: 'Votre adresse e-mail a été modifiée',
      lines: ['Votre compte n’utilise plus {email}. Désormais, nous envoyons tous les e-mails à {newEmail}.'],
      closing: 'Si ce n’était pas vous, contactez immédiatement l’assistance et conservez cet e-mail comme preuve.',
    },
    confirmDeletion: {
      subject: 'Supprimer votre compte ?',
      title: 'Supprimer votre compte ?',
      lines: [
        'Utilisez ce lien pour supprimer définitivement le compte {email} et toutes ses données. Il fonctionne une seule fois, uniquement dans le navigateur où votre session est ouverte, et expire le {until}.',
      ],
      action: 'Supprimer le compte',
      closing:
        'Si ce n’était pas vous, n’ouvrez pas le lien et modifiez immédiatement votre mot de passe. Quelqu’un d’autre est connecté à votre compte.',
    },
    deleted: {
      subject: 'Votre compte a été supprimé',
      title: 'Au revoir, {name}',
      lines: ['Le compte {email} et toutes ses données ont été supprimés.'],
      closing: 'Si ce n’était pas vous, contactez l’assistance et conservez cet e-mail comme preuve.',
    },
    apiKeyCreated: {
      subject: 'Une clé d’API a été créée',
      title: 'Une clé d’API a été créée',
      lines: [
        'La clé d’API {key} a été créée pour votre compte {email}. Toute personne possédant cette clé peut agir en votre nom.',
      ],
      closing:
        'Si ce n’était pas vous, supprimez la clé dans vos paramètres et modifiez immédiatement votre mot de passe.',
    },
    twoFactorEnabled: {
      subject: 'La validation en deux étapes est activée',
      title: 'La validation en deux étapes est activée',
      lines: [
        'Désormais, la connexion au compte {email} demande aussi un code de votre application d’authentification. Vos autres sessions ont été déconnectées.',
      ],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    twoFactorDisabled: {
      subject: 'La validation en deux étapes est désactivée',
      title: 'La validation en deux étapes est désactivée',
      lines: [
        'La connexion au compte {email} ne demande plus de code. Les codes de récupération ne fonctionnent plus.',
      ],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    recoveryCodesReplaced: {
      subject: 'Vos codes de récupération ont été remplacés',
      title: 'Vos codes de récupération ont été remplacés',
      lines: [
        'De nouveaux codes de récupération ont été créés pour le compte {email}. Les anciens codes ne fonctionnent plus.',
      ],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    recoveryCodeUsed: {
      subject: 'Un code de récupération a été utilisé',
      title: 'Un code de récupération a été utilisé',
      lines: ['Un code de récupération a été utilisé pour se connecter au compte {email}. Codes restants : {left}'],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    signInCode: {
      subject: 'Votre code de connexion',
      title: 'Votre code de connexion',
      lines: [
        'Saisissez ce code pour vous connecter au compte {email} : {code}',
        'Le code fonctionne une seule fois et expire le {until}.',
      ],
      closing: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Ne communiquez jamais ce code.',
    },
    verificationCode: {
      subject: 'Votre code de vérification',
      title: 'Votre code de vérification',
      lines: [
        'Saisissez ce code pour vérifier {email} : {code}',
        'Le code fonctionne une seule fois et expire le {until}.',
      ],
      closing: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Ne communiquez jamais ce code.',
    },
    resetCode: {
      subject: 'Votre code de réinitialisation du mot de passe',
      title: 'Votre code de réinitialisation du mot de passe',
      lines: [
        'Saisissez ce code pour définir un nouveau mot de passe pour le compte {email} : {code}',
        'Le code fonctionne une seule fois et expire le {until}.',
      ],
      closing: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Ne communiquez jamais ce code.',
    },
    signInLink: {
      subject: 'Votre lien de connexion',
      title: 'Votre lien de connexion',
      lines: [
        'Ouvrez le lien dans le navigateur où vous l’avez demandé, ou saisissez-y ce code : {code}',
        'Le lien et le code fonctionnent une seule fois et expirent le {until}.',
      ],
      action: 'Se connecter',
      closing: 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Ne communiquez jamais ce code.',
    },
    passkeyAdded: {
      subject: 'Une clé d’accès a été ajoutée',
      title: 'Une clé d’accès a été ajoutée',
      lines: ['La clé d’accès {key} a été ajoutée. Elle permet de se connecter au compte {email} sans mot de passe.'],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    passkeyRemoved: {
      subject: 'Une clé d’accès a été supprimée',
      title: 'Une clé d’accès a été supprimée',
      lines: ['La clé d’accès {key} du compte {email} a été supprimée. Elle ne permet plus de se connecter.'],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    passkeyRefused: {
      subject: 'Une clé d’accès a été refusée',
      title: 'Une clé d’accès a été refusée',
      lines: [
        'La clé d’accès {key} du compte {email} a été refusée, car elle a peut-être été copiée. Si vous venez de l’utiliser, supprimez-la dans les paramètres de sécurité et ajoutez-en une autre.',
      ],
      action: 'Ouvrir les paramètres de sécurité',
      closing: 'Si ce n’était pas vous, supprimez-la immédiatement et vérifiez les sessions dans vos paramètres.',
    },
    twoFactorRemovalCanceled: {
      subject: 'La validation en deux étapes reste activée',
      title: 'La validation en deux étapes reste activée',
      lines: [
        'La suppression de la validation en deux étapes du compte {email} a été annulée : un second facteur a été utilisé, ou une personne connectée à votre compte l’a annulée.',
      ],
      closing: 'Si ce n’était pas vous, demandez à un administrateur de déconnecter toutes vos sessions.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Des méthodes de connexion ont été supprimées',
      title: 'Des méthodes de connexion ont été supprimées',
      lines: [
        'Vous avez confirmé que l’adresse {email} est la vôtre. Les clés d’accès et les applications d’authentification ajoutées auparavant ont été supprimées, car quelqu’un d’autre a pu les ajouter.',
        'Si elles étaient à vous, ajoutez-les de nouveau dans les paramètres de sécurité.',
      ],
      action: 'Ouvrir les paramètres de sécurité',
      closing: 'Si vous ne vous y attendiez pas, contactez l’assistance.',
    },
    twoFactorRemoval: {
      subject: 'La validation en deux étapes sera supprimée',
      title: 'La validation en deux étapes sera supprimée',
      lines: [
        'Un administrateur supprimera la validation en deux étapes du compte {email} le {until}, car votre second facteur a été signalé comme perdu. Pour annuler la suppression, connectez-vous avec l’un de vos codes.',
      ],
      closing:
        'Si vous n’êtes pas à l’origine de cette demande, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    secondStepCode: {
      subject: 'Votre code de validation en deux étapes',
      title: 'Votre code de validation en deux étapes',
      lines: [
        'Saisissez ce code pour terminer la connexion au compte {email} : {code}',
        'Le code fonctionne une seule fois et expire le {until}.',
      ],
      closing:
        'Si ce n’était pas vous, quelqu’un connaît votre mot de passe : modifiez-le immédiatement. Ne communiquez jamais ce code.',
    },
    secondStepFailed: {
      subject: 'Codes incorrects lors de la connexion',
      title: 'Codes incorrects lors de la connexion',
      lines: [
        'Cinq codes incorrects ont été saisis pour le compte {email}. L’étape précédente avait réussi : quelqu’un connaît peut-être votre mot de passe.',
      ],
      closing: 'Si ce n’était pas vous, modifiez immédiatement votre mot de passe.',
    },
    endpointDisabled: {
      subject: 'Un webhook a été désactivé',
      title: 'Un webhook a été désactivé',
      lines: [
        'Pendant cinq jours, aucun événement n’a pu être remis à {host}. Les événements n’y sont donc plus envoyés. Ceux de cette période sont conservés et peuvent être consultés via l’API.',
      ],
      action: 'Voir les envois',
      closing:
        'Corrigez l’erreur côté destinataire, puis réactivez le webhook. Les événements en attente seront alors envoyés.',
    },
    endpointGone: {
      subject: 'Un webhook a été désactivé',
      title: 'Un webhook a été désactivé',
      lines: [
        '{host} a répondu à un événement par « 410 Gone », ce qui signifie que les événements n’y sont plus souhaités. Ils n’y sont donc plus envoyés. Les événements suivants sont conservés et peuvent être consultés via l’API.',
      ],
      action: 'Voir les envois',
      closing:
        'Si ce n’était pas voulu, corrigez l’erreur côté destinataire, puis réactivez le webhook. Les événements en attente seront alors envoyés.',
    },
    accountLinked: {
      subject: 'Votre compte a été associé à {provider}',
      title: 'Votre compte a été associé à {provider}',
      lines: ['Vous pouvez désormais vous connecter au compte {email} avec {provider}.'],
      closing:
        'Si ce n’était pas vous, dissociez {provider} dans vos paramètres et modifiez immédiatement votre mot de passe.',
    },
    accountUnlinked: {
      subject: 'Méthode de connexion dissociée de votre compte : {provider}',
      title: 'Méthode de connexion dissociée de votre compte : {provider}',
      lines: ['La méthode {provider} ne permet plus de se connecter à votre compte {email}.'],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    usernameChanged: {
      subject: 'Votre nom d’utilisateur a été modifié',
      title: 'Votre nom d’utilisateur a été modifié',
      lines: ['Le nom d’utilisateur du compte {email} est désormais {username}.'],
      closing:
        'Si ce n’était pas vous, modifiez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    confirmIdentity: {
      subject: 'Votre code de confirmation',
      title: 'Votre code de confirmation',
      lines: [
        'Saisissez ce code pour confirmer qu’il s’agit bien de vous : {code}',
        'Le code fonctionne une seule fois et expire le {until}.',
      ],
      closing:
        'Si vous n’êtes pas à l’origine de cette demande, quelqu’un d’autre utilise votre compte. Déconnectez toutes les autres sessions dans vos paramètres. Ne communiquez jamais ce code.',
    },
    emailChangeRejected: {
      subject: 'Votre ancienne adresse e-mail a été rétablie',
      title: 'Votre ancienne adresse e-mail a été rétablie',
      lines: [
        'Le titulaire de l’adresse {newEmail} nous a indiqué qu’elle n’appartient pas à votre compte. Votre compte utilise de nouveau {email}.',
      ],
      closing: 'Si vous avez mal saisi la nouvelle adresse e-mail, modifiez-la de nouveau dans vos paramètres.',
    },
    accountCreated: {
      subject: 'Un compte a été créé pour vous',
      title: 'Un compte a été créé pour vous',
      lines: [
        '{actor} a créé un compte pour {email}.',
        'Connectez-vous avec le mot de passe qui vous a été communiqué. Pour choisir le vôtre, sélectionnez « Mot de passe oublié ? » sur la page de connexion.',
      ],
      action: 'Se connecter',
      closing: 'Si vous ne vous y attendiez pas, ignorez cet e-mail ou contactez l’assistance.',
    },
    administratorGranted: {
      subject: 'Vous avez désormais le rôle d’administrateur',
      title: 'Vous avez désormais le rôle d’administrateur',
      lines: [
        'Le compte {email} a désormais le rôle d’administrateur.',
        'Clés d’accès de votre compte : {passkeys}. Dans les paramètres de sécurité, supprimez celles que vous n’avez pas ajoutées, ainsi que toute application d’authentification que vous n’avez pas configurée.',
      ],
      action: 'Ouvrir les paramètres de sécurité',
      closing: 'Si vous ne vous y attendiez pas, contactez l’assistance.',
    },
    administratorAdded: {
      subject: 'Nouvel administrateur : {newAdministrator}',
      title: 'Nouvel administrateur : {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) a désormais le rôle d’administrateur.'],
      closing: 'Si vous ne vous y attendiez pas, révoquez ce rôle dans la section « Administration ».',
    },
    administratorRevoked: {
      subject: 'Vous n’avez plus le rôle d’administrateur',
      title: 'Vous n’avez plus le rôle d’administrateur',
      lines: ['Le compte {email} n’a plus le rôle d’administrateur.'],
      closing: 'Si vous avez des questions, contactez l’assistance.',
    },
    newDevice: {
      subject: 'Nouvelle connexion à votre compte',
      title: 'Nouvelle connexion à votre compte',
      lines: ['Quelqu’un vient de se connecter au compte {email} sur un nouvel appareil.'],
      closing:
        'Si c’était vous, vous n’avez rien à faire. Sinon, modifiez immédiatement votre mot de passe et déconnectez la session dans vos paramètres.',
    },
    roleChanged: {
      subject: 'Votre rôle dans {organization} a été modifié',
      title: 'Votre rôle dans {organization} a été modifié',
      lines: ['{actor} a modifié votre rôle. Nouveau rôle : {role}.'],
      action: 'Ouvrir {organization}',
      closing: 'Si vous avez des questions, contactez un propriétaire de l’organisation {organization}.',
    },
    secondFactorRequired: {
      subject: 'L’organisation {organization} exige un second facteur',
      title: 'L’organisation {organization} exige un second facteur',
      lines: [
        'À partir du {until}, les membres ont besoin d’un second facteur pour ouvrir {organization} : une clé d’accès ou une application d’authentification. Vous n’en avez pas encore.',
      ],
      action: 'Configurer un second facteur',
      closing: 'Si vous avez des questions, contactez un propriétaire de l’organisation {organization}.',
    },
    memberRemoved: {
      subject: 'Vous ne faites plus partie de l’organisation {organization}',
      title: 'Vous ne faites plus partie de l’organisation {organization}',
      lines: ['{actor} a mis fin à votre adhésion à l’organisation. Votre compte n’est pas affecté.'],
      closing: 'S’il s’agit d’une erreur, demandez une nouvelle invitation à {actor}.',
    },
    ownershipReceived: {
      subject: 'Vous êtes désormais propriétaire de l’organisation {organization}',
      title: 'Vous êtes désormais propriétaire de l’organisation {organization}',
      lines: [
        '{actor} vous a attribué le rôle de propriétaire. Vous pouvez modifier tous les paramètres de l’organisation, la supprimer et en transférer la propriété.',
      ],
      action: 'Ouvrir {organization}',
      closing: 'Si vous ne souhaitez pas ce rôle, vous pouvez transférer la propriété à un autre membre.',
    },
    invitation: {
      subject: '{actor} vous invite à rejoindre {organization}',
      title: '{actor} vous invite à rejoindre {organization}',
      lines: ['Votre rôle sera : {role}. L’invitation expire le {until}.'],
      action: 'Voir l’invitation',
      closing: 'Si vous ne connaissez pas {actor}, ignorez cet e-mail. Rien ne se passe tant que vous n’acceptez pas.',
    },
    invitationAccepted: {
      subject: '{actor} a rejoint {organization}',
      title: '{actor} a rejoint {organization}',
      lines: ['Votre invitation à {inviteeEmail} a été acceptée. Rôle : {role}.'],
      action: 'Voir les membres',
      closing: 'Vous recevez cet e-mail parce que vous avez envoyé l’invitation.',
    },
    paymentFailed: {
      subject: 'Échec du paiement',
      title: 'Échec du paiement',
      lines: [
        'Le paiement pour {about} a échoué. Vérifiez votre carte ou utilisez un autre moyen de paiement. Une nouvelle tentative de paiement aura ensuite lieu.',
      ],
      action: 'Voir la facturation',
      closing: 'Vous conservez votre accès pour le moment.',
    },
    subscriptionPastDue: {
      subject: 'Votre paiement est en retard',
      title: 'Votre paiement est en retard',
      lines: [
        'Un paiement de l’abonnement pour {about} a échoué. Mettez à jour votre moyen de paiement pour conserver votre abonnement.',
      ],
      action: 'Voir la facturation',
      closing: 'Vous conservez votre accès pour le moment.',
    },
    trialEnding: {
      subject: 'Votre essai gratuit se termine bientôt',
      title: 'Votre essai gratuit se termine bientôt',
      lines: ['L’essai gratuit pour {about} se termine le {until}. L’abonnement sera ensuite facturé.'],
      action: 'Voir la facturation',
      closing: 'Si vous ne souhaitez pas continuer, résiliez l’abonnement avant cette date.',
    },
    subscriptionOnHold: {
      subject: 'Votre abonnement est suspendu',
      title: 'Votre abonnement est suspendu',
      lines: [
        'L’abonnement pour {about} est suspendu car un paiement est en retard. Mettez à jour votre moyen de paiement pour conserver votre abonnement.',
      ],
      action: 'Voir la facturation',
      closing: 'Sans paiement, vous perdez l’accès aux fonctionnalités de l’abonnement.',
    },
    subscriptionEnded: {
      subject: 'Votre abonnement a pris fin',
      title: 'Votre abonnement a pris fin',
      lines: ['L’abonnement pour {about} a pris fin. Vous pouvez vous réabonner à tout moment.'],
      action: 'Voir la facturation',
      closing: 'Vos paiements passés restent visibles dans la section « Facturation ».',
    },
  },
}
