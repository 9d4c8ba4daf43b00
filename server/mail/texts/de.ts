import type { MailTexts } from '../mail-texts.ts'

/** The German texts of all mails. */
export const de: MailTexts = {
  common: {
    when: 'Zeitpunkt',
    device: 'Gerät',
    unknownDevice: 'Unbekannt',
    hint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    member: 'Mitglied',
  },
  mails: {
    verifyEmail: {
      subject: 'Bestätigen Sie Ihre Adresse',
      title: 'Bestätigen Sie Ihre Adresse, {name}',
      lines: ['Ein Klick belegt, dass {email} Ihnen gehört. Der Link gilt bis {until}.'],
      action: 'Adresse bestätigen',
      closing: 'Sie haben kein Konto angelegt? Dann ignorieren Sie diese Nachricht: Ohne den Klick geschieht nichts.',
    },
    signUpAttempt: {
      subject: 'Jemand wollte mit Ihrer Adresse ein Konto anlegen',
      title: 'Sie haben bereits ein Konto',
      lines: [
        'Jemand, vielleicht Sie selbst, wollte mit {email} ein neues Konto anlegen. Es wurde nichts geändert.',
        'Wenn Sie es waren: Melden Sie sich mit Ihrem Passwort an. Wenn Sie es nicht mehr wissen oder dieses Konto nie benutzt haben, vergeben Sie dort ein neues.',
      ],
      action: 'Anmelden',
      closing: 'Wenn Sie es nicht waren, müssen Sie nichts tun. Wer immer es war, hat nichts über Ihr Konto erfahren.',
    },
    resetPassword: {
      subject: 'Neues Passwort festlegen',
      title: 'Neues Passwort festlegen',
      lines: [
        'Jemand, vermutlich Sie, hat für {email} ein neues Passwort angefordert. Der Link gilt einmal und bis {until}. Damit enden alle Sitzungen.',
      ],
      action: 'Passwort festlegen',
      closing: 'Sie waren es nicht? Dann ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
    },
    passwordChanged: {
      subject: 'Ihr Passwort wurde geändert',
      title: 'Ihr Passwort wurde geändert',
      lines: ['Für {email} gilt seit eben ein neues Passwort.'],
      closing:
        'Sie waren es nicht? Legen Sie bei der Anmeldung über „Passwort vergessen?“ sofort ein neues fest: Das beendet alle Sitzungen.',
    },
    confirmEmailChange: {
      subject: 'Bestätigen Sie Ihre neue Adresse',
      title: 'Möchten Sie Ihre Adresse ändern?',
      lines: [
        'Ihr Konto soll von {email} zu {newEmail} umziehen. Öffnen Sie den Link bis {until} in dem Browser, in dem Sie angemeldet sind. Danach wird die neue Adresse mit einer eigenen Nachricht bestätigt.',
      ],
      action: 'Adresse ändern',
      closing:
        'Sie waren es nicht? Dann ignorieren Sie diese Nachricht und ändern Sie Ihr Passwort: Jemand ist in Ihrem Konto angemeldet.',
    },
    emailChanged: {
      subject: 'Ihre Adresse wurde geändert',
      title: 'Ihr Konto hat eine neue Adresse',
      lines: ['Ihr Konto gehört nicht mehr zu {email}. Ab jetzt gehen seine Nachrichten an {newEmail}.'],
      closing:
        'Sie waren es nicht? Wenden Sie sich sofort an den Betreiber dieses Dienstes; diese Nachricht ist Ihr Beleg.',
    },
    confirmDeletion: {
      subject: 'Konto löschen?',
      title: 'Möchten Sie Ihr Konto löschen?',
      lines: [
        'Mit dem Link löschen Sie das Konto von {email} und alles, was dazugehört, endgültig. Er gilt einmal, bis {until}, in dem Browser, in dem Sie angemeldet sind.',
      ],
      action: 'Konto löschen',
      closing:
        'Sie waren es nicht? Dann ignorieren Sie diese Nachricht und ändern Sie Ihr Passwort: Jemand ist in Ihrem Konto angemeldet.',
    },
    deleted: {
      subject: 'Ihr Konto wurde gelöscht',
      title: 'Auf Wiedersehen, {name}',
      lines: ['Das Konto von {email} und alles, was dazugehörte, ist gelöscht.'],
      closing: 'Sie waren es nicht? Wenden Sie sich an den Betreiber dieses Dienstes; diese Nachricht ist Ihr Beleg.',
    },
    accountLinked: {
      subject: '{provider} wurde mit Ihrem Konto verknüpft',
      title: '{provider} wurde mit Ihrem Konto verknüpft',
      lines: ['Sie können sich jetzt mit {provider} bei {email} anmelden.'],
      closing:
        'Wenn Sie das nicht waren, heben Sie die Verknüpfung mit {provider} in Ihren Einstellungen auf und ändern Sie sofort Ihr Passwort.',
    },
    accountUnlinked: {
      subject: '{provider} ist nicht mehr mit Ihrem Konto verknüpft',
      title: '{provider} ist nicht mehr mit Ihrem Konto verknüpft',
      lines: ['{provider} kann nicht mehr für die Anmeldung bei {email} verwendet werden.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    usernameChanged: {
      subject: 'Ihr Benutzername wurde geändert',
      title: 'Ihr Benutzername wurde geändert',
      lines: ['Der Benutzername von {email} lautet jetzt {username}.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    confirmIdentity: {
      subject: 'Ihr Bestätigungscode',
      title: 'Ihr Bestätigungscode',
      lines: [
        'Geben Sie diesen Code ein, um zu bestätigen, dass Sie es sind: {code}',
        'Der Code funktioniert nur einmal. Gültig bis: {until}.',
      ],
      closing:
        'Wenn Sie diesen Code nicht angefordert haben, verwendet jemand anderes Ihr Konto: Beenden Sie alle Sitzungen in Ihren Einstellungen. Geben Sie diesen Code niemals weiter.',
    },
    emailChangeRejected: {
      subject: 'Ihre E-Mail-Adresse wurde zurückgesetzt',
      title: 'Ihre E-Mail-Adresse wurde zurückgesetzt',
      lines: [
        'Der Inhaber von {newEmail} hat uns mitgeteilt, dass diese Adresse nicht zu Ihrem Konto gehört. Ihr Konto verwendet wieder {email}.',
      ],
      closing: 'Wenn Sie sich bei der neuen Adresse vertippt haben, ändern Sie sie in Ihren Einstellungen erneut.',
    },
    administratorGranted: {
      subject: 'Sie haben jetzt Administratorrechte',
      title: 'Sie haben jetzt Administratorrechte',
      lines: ['{email} hat jetzt Administratorrechte.'],
      closing: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an die Betreiber dieses Dienstes.',
    },
    administratorAdded: {
      subject: 'Neuer Administrator: {newAdministrator}',
      title: 'Neuer Administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) hat jetzt Administratorrechte.'],
      closing: 'Wenn Sie das nicht erwartet haben, entziehen Sie die Rolle in der Verwaltung.',
    },
    administratorRevoked: {
      subject: 'Sie haben keine Administratorrechte mehr',
      title: 'Sie haben keine Administratorrechte mehr',
      lines: ['{email} hat keine Administratorrechte mehr.'],
      closing: 'Wenn Sie Fragen haben, wenden Sie sich an die Betreiber dieses Dienstes.',
    },
    newDevice: {
      subject: 'Ein neues Gerät ist angemeldet',
      title: 'Ein neues Gerät ist angemeldet',
      lines: ['Bei {email} hat sich soeben jemand mit einem Gerät angemeldet, das wir noch nicht kennen.'],
      closing:
        'Sie waren es? Dann ist alles gut. Wenn nicht, ändern Sie sofort Ihr Passwort und beenden Sie die Sitzung in Ihren Einstellungen.',
    },
    roleChanged: {
      subject: 'Ihre Rolle bei {organization} hat sich geändert',
      title: 'Ihre Rolle bei {organization} hat sich geändert',
      lines: ['{actor} hat sie geändert. Ihre Rolle ist jetzt: {role}.'],
      action: '{organization} öffnen',
      closing: 'Fragen dazu beantworten die Inhaber von {organization}.',
    },
    memberRemoved: {
      subject: 'Sie sind nicht mehr Mitglied von {organization}',
      title: 'Sie sind nicht mehr Mitglied von {organization}',
      lines: ['{actor} hat Ihre Mitgliedschaft beendet. Ihr Konto bleibt, wie es ist.'],
      closing: 'Wenn das ein Versehen ist, bitten Sie {actor} um eine neue Einladung.',
    },
    ownershipReceived: {
      subject: 'Sie sind jetzt Inhaber von {organization}',
      title: 'Sie sind jetzt Inhaber von {organization}',
      lines: [
        '{actor} hat Sie dazu gemacht. Sie dürfen dort alles ändern, die Organisation löschen und die Inhaberschaft weitergeben.',
      ],
      action: '{organization} öffnen',
      closing: 'Wenn Sie das nicht möchten, können Sie die Inhaberschaft einem anderen Mitglied übertragen.',
    },
    invitation: {
      subject: '{actor} lädt Sie zu {organization} ein',
      title: '{actor} lädt Sie zu {organization} ein',
      lines: ['Ihre Rolle dort: {role}. Die Einladung gilt bis {until}.'],
      action: 'Einladung ansehen',
      closing: 'Sie kennen {actor} nicht? Dann ignorieren Sie diese Nachricht: Ohne Ihr Zutun geschieht nichts.',
    },
    invitationAccepted: {
      subject: '{actor} ist jetzt bei {organization}',
      title: '{actor} ist jetzt bei {organization}',
      lines: ['Ihre Einladung an {address} wurde angenommen. Rolle: {role}.'],
      action: 'Mitglieder ansehen',
      closing: 'Sie erhalten diese Nachricht, weil Sie die Einladung verschickt haben.',
    },
    paymentFailed: {
      subject: 'Eine Zahlung ist fehlgeschlagen',
      title: 'Eine Zahlung ist fehlgeschlagen',
      lines: [
        'Die Zahlung für {about} wurde nicht angenommen. Prüfen Sie die Karte oder wählen Sie eine andere Zahlungsart; dann wird es erneut versucht.',
      ],
      action: 'Zur Abrechnung',
      closing: 'Ihr Zugang bleibt vorerst bestehen.',
    },
    subscriptionOnHold: {
      subject: 'Ein Abonnement ist angehalten',
      title: 'Ein Abonnement ist angehalten',
      lines: [
        'Das Abonnement für {about} ist angehalten, weil die Zahlung fehlt. Erneuern Sie die Zahlungsart, und es geht weiter.',
      ],
      action: 'Zur Abrechnung',
      closing: 'Ohne Zahlung enden die Rechte des Abonnements.',
    },
    subscriptionEnded: {
      subject: 'Ein Abonnement ist beendet',
      title: 'Ein Abonnement ist beendet',
      lines: ['Das Abonnement für {about} ist beendet. Sie können es jederzeit wieder aufnehmen.'],
      action: 'Zur Abrechnung',
      closing: 'Ihre Zahlungen bleiben in der Liste.',
    },
  },
}
