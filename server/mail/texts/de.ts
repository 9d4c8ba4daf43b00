import type { MailTexts } from '../mail-texts.ts'

/** The German texts of all mails. */
export const de: MailTexts = {
  common: {
    when: 'Zeitpunkt',
    device: 'Gerät',
    unknownDevice: 'Unbekannt',
    hint: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
    password: 'Passwort',
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    member: 'Mitglied',
  },
  mails: {
    verifyEmail: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      title: 'Bestätigen Sie Ihre E-Mail-Adresse, {name}',
      lines: ['Bestätigen Sie, dass {email} Ihnen gehört. Der Link ist bis {until} gültig.'],
      action: 'E-Mail-Adresse bestätigen',
      closing:
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Solange Sie den Link nicht öffnen, geschieht nichts.',
    },
    signUpAttempt: {
      subject: 'Jemand hat versucht, mit Ihrer E-Mail-Adresse ein Konto zu erstellen',
      title: 'Sie haben bereits ein Konto',
      lines: [
        'Jemand, vielleicht Sie selbst, hat versucht, mit {email} ein neues Konto zu erstellen. Es wurde nichts geändert.',
        'Wenn Sie das waren, melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen oder dieses Konto nie verwendet haben, können Sie auf der Anmeldeseite ein neues festlegen.',
      ],
      action: 'Anmelden',
      closing:
        'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wurden keine Informationen über Ihr Konto weitergegeben.',
    },
    resetPassword: {
      subject: 'Setzen Sie Ihr Passwort zurück',
      title: 'Setzen Sie Ihr Passwort zurück',
      lines: [
        'Jemand, vermutlich Sie selbst, hat das Zurücksetzen des Passworts für {email} angefordert. Der Link funktioniert nur einmal und ist bis {until} gültig. Wenn Sie ein neues Passwort festlegen, werden alle Sitzungen beendet.',
      ],
      action: 'Neues Passwort festlegen',
      closing: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
    },
    passwordChanged: {
      subject: 'Ihr Passwort wurde geändert',
      title: 'Ihr Passwort wurde geändert',
      lines: ['Das Passwort für {email} wurde soeben geändert.'],
      closing:
        'Wenn Sie das nicht waren, wählen Sie auf der Anmeldeseite „Passwort vergessen?“ aus und legen Sie sofort ein neues fest. Dadurch werden alle Sitzungen beendet.',
    },
    confirmEmailChange: {
      subject: 'Bestätigen Sie die Änderung Ihrer E-Mail-Adresse',
      title: 'E-Mail-Adresse ändern?',
      lines: [
        'Sie haben angefordert, die E-Mail-Adresse Ihres Kontos von {email} in {newEmail} zu ändern. Öffnen Sie den Link bis {until} in dem Browser, in dem Sie angemeldet sind. Danach senden wir einen Bestätigungslink an {newEmail}.',
      ],
      action: 'E-Mail-Adresse ändern',
      closing:
        'Wenn Sie das nicht waren, öffnen Sie den Link nicht und ändern Sie sofort Ihr Passwort. Jemand anderes ist in Ihrem Konto angemeldet.',
    },
    emailChanged: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      title: 'Ihre E-Mail-Adresse wurde geändert',
      lines: ['Ihr Konto verwendet {email} nicht mehr. Ab jetzt senden wir alle E-Mails an {newEmail}.'],
      closing:
        'Wenn Sie das nicht waren, wenden Sie sich sofort an den Support und bewahren Sie diese E-Mail als Nachweis auf.',
    },
    confirmDeletion: {
      subject: 'Konto löschen?',
      title: 'Konto löschen?',
      lines: [
        'Mit diesem Link löschen Sie das Konto für {email} und alle zugehörigen Daten endgültig. Er ist bis {until} gültig und funktioniert nur einmal und nur in dem Browser, in dem Sie angemeldet sind.',
      ],
      action: 'Konto löschen',
      closing:
        'Wenn Sie das nicht waren, öffnen Sie den Link nicht und ändern Sie sofort Ihr Passwort. Jemand anderes ist in Ihrem Konto angemeldet.',
    },
    deleted: {
      subject: 'Ihr Konto wurde gelöscht',
      title: 'Auf Wiedersehen, {name}',
      lines: ['Das Konto für {email} und alle zugehörigen Daten wurden gelöscht.'],
      closing:
        'Wenn Sie das nicht waren, wenden Sie sich an den Support und bewahren Sie diese E-Mail als Nachweis auf.',
    },
    apiKeyCreated: {
      subject: 'Ein API-Schlüssel wurde erstellt',
      title: 'Ein API-Schlüssel wurde erstellt',
      lines: [
        'Der API-Schlüssel {key} wurde für Ihr Konto {email} erstellt. Wer diesen Schlüssel hat, kann in Ihrem Namen handeln.',
      ],
      closing:
        'Wenn Sie das nicht waren, löschen Sie den Schlüssel in Ihren Einstellungen und ändern Sie sofort Ihr Passwort.',
    },
    twoFactorEnabled: {
      subject: 'Die Bestätigung in zwei Schritten ist aktiviert',
      title: 'Die Bestätigung in zwei Schritten ist aktiviert',
      lines: [
        'Für die Anmeldung im Konto {email} ist ab jetzt auch ein Code aus Ihrer Authentifizierungs-App erforderlich. Ihre anderen Sitzungen wurden beendet.',
      ],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    twoFactorDisabled: {
      subject: 'Die Bestätigung in zwei Schritten ist deaktiviert',
      title: 'Die Bestätigung in zwei Schritten ist deaktiviert',
      lines: [
        'Für die Anmeldung im Konto {email} ist kein Code mehr erforderlich. Die Wiederherstellungscodes funktionieren nicht mehr.',
      ],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    recoveryCodesReplaced: {
      subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
      title: 'Ihre Wiederherstellungscodes wurden ersetzt',
      lines: ['Für {email} wurden neue Wiederherstellungscodes erstellt. Die alten Codes funktionieren nicht mehr.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    recoveryCodeUsed: {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      title: 'Ein Wiederherstellungscode wurde verwendet',
      lines: [
        'Bei der Anmeldung im Konto {email} wurde ein Wiederherstellungscode verwendet. Verbleibende Codes: {left}',
      ],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    signInCode: {
      subject: 'Ihr Anmeldecode',
      title: 'Ihr Anmeldecode',
      lines: [
        'Geben Sie diesen Code ein, um sich im Konto {email} anzumelden: {code}',
        'Der Code funktioniert nur einmal und ist bis {until} gültig.',
      ],
      closing:
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie diesen Code niemals weiter.',
    },
    verificationCode: {
      subject: 'Ihr Bestätigungscode',
      title: 'Ihr Bestätigungscode',
      lines: [
        'Geben Sie diesen Code ein, um {email} zu bestätigen: {code}',
        'Der Code funktioniert nur einmal und ist bis {until} gültig.',
      ],
      closing:
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie diesen Code niemals weiter.',
    },
    resetCode: {
      subject: 'Ihr Code zum Zurücksetzen des Passworts',
      title: 'Ihr Code zum Zurücksetzen des Passworts',
      lines: [
        'Geben Sie diesen Code ein, um ein neues Passwort für {email} festzulegen: {code}',
        'Der Code funktioniert nur einmal und ist bis {until} gültig.',
      ],
      closing:
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie diesen Code niemals weiter.',
    },
    signInLink: {
      subject: 'Ihr Anmeldelink',
      title: 'Ihr Anmeldelink',
      lines: [
        'Öffnen Sie den Link in dem Browser, in dem Sie ihn angefordert haben, oder geben Sie dort diesen Code ein: {code}',
        'Link und Code funktionieren nur einmal und sind bis {until} gültig.',
      ],
      action: 'Anmelden',
      closing:
        'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie diesen Code niemals weiter.',
    },
    passkeyAdded: {
      subject: 'Ein Passkey wurde hinzugefügt',
      title: 'Ein Passkey wurde hinzugefügt',
      lines: ['Der Passkey {key} wurde hinzugefügt. Damit können Sie sich ohne Passwort im Konto {email} anmelden.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey wurde entfernt',
      title: 'Ein Passkey wurde entfernt',
      lines: ['Der Passkey {key} von {email} wurde entfernt. Mit ihm ist keine Anmeldung mehr möglich.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    passkeyRefused: {
      subject: 'Ein Passkey wurde abgelehnt',
      title: 'Ein Passkey wurde abgelehnt',
      lines: [
        'Der Passkey {key} von {email} wurde abgelehnt, weil er möglicherweise kopiert wurde. Wenn Sie ihn gerade verwendet haben, entfernen Sie ihn in den Sicherheitseinstellungen und fügen Sie einen neuen hinzu.',
      ],
      action: 'Sicherheitseinstellungen öffnen',
      closing:
        'Wenn Sie das nicht waren, entfernen Sie ihn sofort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    twoFactorRemovalCanceled: {
      subject: 'Die Bestätigung in zwei Schritten bleibt aktiviert',
      title: 'Die Bestätigung in zwei Schritten bleibt aktiviert',
      lines: [
        'Die Entfernung der Bestätigung in zwei Schritten für {email} wurde abgebrochen: Ein zweiter Faktor wurde verwendet, oder jemand, der in Ihrem Konto angemeldet ist, hat sie abgebrochen.',
      ],
      closing: 'Wenn Sie das nicht waren, bitten Sie einen Administrator, Ihre Sitzungen zu beenden.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Anmeldemethoden wurden entfernt',
      title: 'Anmeldemethoden wurden entfernt',
      lines: [
        'Sie haben bestätigt, dass {email} Ihnen gehört. Zuvor hinzugefügte Passkeys und Authentifizierungs-Apps wurden entfernt, weil jemand anderes sie hinzugefügt haben könnte.',
        'Wenn Sie sie selbst hinzugefügt hatten, fügen Sie sie in den Sicherheitseinstellungen erneut hinzu.',
      ],
      action: 'Sicherheitseinstellungen öffnen',
      closing: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an den Support.',
    },
    twoFactorRemoval: {
      subject: 'Die Bestätigung in zwei Schritten wird entfernt',
      title: 'Die Bestätigung in zwei Schritten wird entfernt',
      lines: [
        'Ein Administrator entfernt am {until} die Bestätigung in zwei Schritten für {email}, weil Ihr zweiter Faktor als verloren gemeldet wurde. Melden Sie sich mit einem Ihrer Codes an, um die Entfernung abzubrechen.',
      ],
      closing:
        'Wenn Sie das nicht angefordert haben, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    secondStepCode: {
      subject: 'Ihr Code für die Bestätigung in zwei Schritten',
      title: 'Ihr Code für die Bestätigung in zwei Schritten',
      lines: [
        'Geben Sie diesen Code ein, um die Anmeldung im Konto {email} abzuschließen: {code}',
        'Der Code funktioniert nur einmal und ist bis {until} gültig.',
      ],
      closing:
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es sofort. Geben Sie diesen Code niemals weiter.',
    },
    secondStepFailed: {
      subject: 'Falsche Codes bei der Anmeldung',
      title: 'Falsche Codes bei der Anmeldung',
      lines: [
        'Für {email} wurden fünf falsche Codes eingegeben. Der Anmeldeschritt davor war erfolgreich, daher kennt möglicherweise jemand Ihr Passwort.',
      ],
      closing: 'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    },
    endpointDisabled: {
      subject: 'Ein Webhook wurde deaktiviert',
      title: 'Ein Webhook wurde deaktiviert',
      lines: [
        'Fünf Tage lang konnte kein Ereignis an {host} zugestellt werden, daher werden dorthin keine Ereignisse mehr gesendet. Die Ereignisse aus dieser Zeit bleiben gespeichert und können über die API gelesen werden.',
      ],
      action: 'Zustellungen ansehen',
      closing:
        'Beheben Sie den Fehler beim Empfänger und aktivieren Sie den Webhook dann wieder. Ausstehende Ereignisse werden danach gesendet.',
    },
    endpointGone: {
      subject: 'Ein Webhook wurde deaktiviert',
      title: 'Ein Webhook wurde deaktiviert',
      lines: [
        '{host} hat auf ein Ereignis mit „410 Gone“ geantwortet. Das bedeutet, dass dort keine Ereignisse mehr erwünscht sind, daher werden keine mehr gesendet. Neue Ereignisse bleiben gespeichert und können über die API gelesen werden.',
      ],
      action: 'Zustellungen ansehen',
      closing:
        'Falls das nicht beabsichtigt war, beheben Sie den Fehler beim Empfänger und aktivieren Sie den Webhook dann wieder. Ausstehende Ereignisse werden danach gesendet.',
    },
    accountLinked: {
      subject: '{provider} wurde mit Ihrem Konto verknüpft',
      title: '{provider} wurde mit Ihrem Konto verknüpft',
      lines: ['Sie können sich jetzt mit {provider} im Konto {email} anmelden.'],
      closing:
        'Wenn Sie das nicht waren, heben Sie die Verknüpfung mit {provider} in Ihren Einstellungen auf und ändern Sie sofort Ihr Passwort.',
    },
    accountUnlinked: {
      subject: 'Verknüpfung mit Ihrem Konto aufgehoben: {provider}',
      title: 'Verknüpfung mit Ihrem Konto aufgehoben: {provider}',
      lines: ['Mit {provider} können Sie sich nicht mehr in Ihrem Konto {email} anmelden.'],
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
        'Geben Sie diesen Code ein, um Ihre Identität zu bestätigen: {code}',
        'Der Code funktioniert nur einmal und ist bis {until} gültig.',
      ],
      closing:
        'Wenn Sie das nicht angefordert haben, verwendet jemand anderes Ihr Konto. Beenden Sie in Ihren Einstellungen alle anderen Sitzungen. Geben Sie diesen Code niemals weiter.',
    },
    emailChangeRejected: {
      subject: 'Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht',
      title: 'Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht',
      lines: [
        'Die Person, der {newEmail} gehört, hat uns mitgeteilt, dass diese E-Mail-Adresse nicht zu Ihrem Konto gehört. Ihr Konto verwendet wieder {email}.',
      ],
      closing:
        'Wenn Sie sich bei der neuen E-Mail-Adresse vertippt haben, ändern Sie sie in Ihren Einstellungen erneut.',
    },
    accountCreated: {
      subject: 'Für Sie wurde ein Konto erstellt',
      title: 'Für Sie wurde ein Konto erstellt',
      lines: [
        '{actor} hat ein Konto für {email} erstellt.',
        'Melden Sie sich mit dem Passwort an, das Sie erhalten haben. Um ein eigenes festzulegen, wählen Sie auf der Anmeldeseite „Passwort vergessen?“ aus.',
      ],
      action: 'Anmelden',
      closing: 'Wenn Sie das nicht erwartet haben, ignorieren Sie diese E-Mail oder wenden Sie sich an den Support.',
    },
    administratorGranted: {
      subject: 'Sie haben jetzt Administratorrechte',
      title: 'Sie haben jetzt Administratorrechte',
      lines: [
        '{email} hat jetzt Administratorrechte.',
        'Passkeys Ihres Kontos: {passkeys}. Entfernen Sie in den Sicherheitseinstellungen alle, die Sie nicht selbst hinzugefügt haben, und eine Authentifizierungs-App, die Sie nicht selbst eingerichtet haben.',
      ],
      action: 'Sicherheitseinstellungen öffnen',
      closing: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an den Support.',
    },
    administratorAdded: {
      subject: '{newAdministrator} hat jetzt Administratorrechte',
      title: '{newAdministrator} hat jetzt Administratorrechte',
      lines: ['{newAdministrator} ({newAdministratorEmail}) hat jetzt Administratorrechte.'],
      closing: 'Wenn Sie das nicht erwartet haben, entziehen Sie die Rechte unter „Administration“.',
    },
    administratorRevoked: {
      subject: 'Sie haben keine Administratorrechte mehr',
      title: 'Sie haben keine Administratorrechte mehr',
      lines: ['{email} hat keine Administratorrechte mehr.'],
      closing: 'Wenn Sie Fragen haben, wenden Sie sich an den Support.',
    },
    newDevice: {
      subject: 'Neue Anmeldung in Ihrem Konto',
      title: 'Neue Anmeldung in Ihrem Konto',
      lines: ['Im Konto {email} hat sich soeben jemand auf einem neuen Gerät angemeldet.'],
      closing:
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie sofort Ihr Passwort und melden Sie das Gerät in Ihren Einstellungen ab.',
    },
    roleChanged: {
      subject: 'Ihre Rolle in {organization} wurde geändert',
      title: 'Ihre Rolle in {organization} wurde geändert',
      lines: ['{actor} hat Ihre Rolle geändert. Neue Rolle: {role}.'],
      action: '{organization} öffnen',
      closing: 'Wenn Sie Fragen haben, wenden Sie sich an einen Inhaber von {organization}.',
    },
    secondFactorRequired: {
      subject: '{organization} verlangt einen zweiten Faktor',
      title: '{organization} verlangt einen zweiten Faktor',
      lines: [
        'Ab {until} benötigen Mitglieder einen zweiten Faktor, um {organization} zu öffnen: einen Passkey oder eine Authentifizierungs-App. Sie haben noch keinen.',
      ],
      action: 'Zweiten Faktor einrichten',
      closing: 'Wenn Sie Fragen haben, wenden Sie sich an einen Inhaber von {organization}.',
    },
    memberRemoved: {
      subject: 'Sie wurden aus {organization} entfernt',
      title: 'Sie wurden aus {organization} entfernt',
      lines: ['{actor} hat Sie aus der Organisation entfernt. Ihr Konto ist davon nicht betroffen.'],
      closing: 'Wenn das ein Versehen ist, bitten Sie {actor} um eine neue Einladung.',
    },
    ownershipReceived: {
      subject: 'Sie haben jetzt die Inhaberrolle in {organization}',
      title: 'Sie haben jetzt die Inhaberrolle in {organization}',
      lines: [
        '{actor} hat Ihnen die Inhaberrolle gegeben. Sie können alle Einstellungen der Organisation ändern, die Organisation löschen und die Inhaberschaft übertragen.',
      ],
      action: '{organization} öffnen',
      closing: 'Wenn Sie diese Rolle nicht möchten, können Sie die Inhaberschaft einem anderen Mitglied übertragen.',
    },
    invitation: {
      subject: '{actor} hat Sie zu {organization} eingeladen',
      title: '{actor} hat Sie zu {organization} eingeladen',
      lines: ['Ihre Rolle: {role}. Die Einladung ist bis {until} gültig.'],
      action: 'Einladung ansehen',
      closing:
        'Wenn Sie {actor} nicht kennen, ignorieren Sie diese E-Mail. Solange Sie die Einladung nicht annehmen, geschieht nichts.',
    },
    invitationAccepted: {
      subject: '{actor} ist {organization} beigetreten',
      title: '{actor} ist {organization} beigetreten',
      lines: ['Ihre Einladung an {inviteeEmail} wurde angenommen. Rolle: {role}.'],
      action: 'Mitglieder ansehen',
      closing: 'Sie erhalten diese E-Mail, weil Sie die Einladung gesendet haben.',
    },
    paymentFailed: {
      subject: 'Zahlung fehlgeschlagen',
      title: 'Zahlung fehlgeschlagen',
      lines: [
        'Die Zahlung für {about} ist fehlgeschlagen. Prüfen Sie Ihre Karte oder verwenden Sie eine andere Zahlungsmethode. Die Zahlung wird dann erneut versucht.',
      ],
      action: 'Abrechnung ansehen',
      closing: 'Sie behalten Ihren Zugriff vorerst.',
    },
    subscriptionPastDue: {
      subject: 'Ihre Zahlung ist überfällig',
      title: 'Ihre Zahlung ist überfällig',
      lines: [
        'Eine Zahlung für das Abonnement von {about} ist fehlgeschlagen. Aktualisieren Sie Ihre Zahlungsmethode, um Ihr Abonnement zu behalten.',
      ],
      action: 'Abrechnung ansehen',
      closing: 'Sie behalten Ihren Zugriff vorerst.',
    },
    trialEnding: {
      subject: 'Ihr kostenloser Testzeitraum endet bald',
      title: 'Ihr kostenloser Testzeitraum endet bald',
      lines: ['Der kostenlose Testzeitraum für {about} endet am {until}. Danach ist das Abonnement kostenpflichtig.'],
      action: 'Abrechnung ansehen',
      closing: 'Wenn Sie das Abonnement nicht fortsetzen möchten, kündigen Sie es vorher.',
    },
    subscriptionOnHold: {
      subject: 'Ihr Abonnement ist ausgesetzt',
      title: 'Ihr Abonnement ist ausgesetzt',
      lines: [
        'Das Abonnement für {about} ist ausgesetzt, weil eine Zahlung überfällig ist. Aktualisieren Sie Ihre Zahlungsmethode, um Ihr Abonnement zu behalten.',
      ],
      action: 'Abrechnung ansehen',
      closing: 'Ohne Zahlung verlieren Sie den Zugriff auf die Funktionen des Abonnements.',
    },
    subscriptionEnded: {
      subject: 'Ihr Abonnement wurde beendet',
      title: 'Ihr Abonnement wurde beendet',
      lines: ['Das Abonnement für {about} wurde beendet. Sie können jederzeit ein neues Abonnement abschließen.'],
      action: 'Abrechnung ansehen',
      closing: 'Ihre bisherigen Zahlungen finden Sie weiterhin unter „Abrechnung“.',
    },
  },
}
