import type { MailTexts } from '../mail-texts.ts'

/** The Polish texts of all mails. */
export const pl: MailTexts = {
  common: {
    when: 'Kiedy',
    device: 'Urządzenie',
    unknownDevice: 'Nieznane',
    hint: 'Jeśli przycisk nie działa, należy otworzyć ten adres:',
  },
  roles: {
    owner: 'Właściciel',
    admin: 'Administrator',
    member: 'Członek',
  },
  mails: {
    verifyEmail: {
      subject: 'Potwierdzenie adresu',
      title: 'Potwierdzenie adresu: {name}',
      lines: ['Jedno kliknięcie potwierdzi, że adres {email} należy do właściciela konta. Link działa do: {until}.'],
      action: 'Potwierdź adres',
      closing: 'To konto zakłada ktoś inny? Wystarczy zignorować tę wiadomość: bez kliknięcia nic się nie stanie.',
    },
    signUpAttempt: {
      subject: 'Ktoś próbował założyć konto na ten adres',
      title: 'Konto już istnieje',
      lines: [
        'Ktoś, być może właściciel adresu, próbował założyć nowe konto na {email}. Nic się nie zmieniło.',
        'Istniejące konto czeka na zalogowanie hasłem. Jeśli hasło jest nieznane lub konto nigdy nie było używane, można tam ustawić nowe.',
      ],
      action: 'Zaloguj się',
      closing: 'Jeśli to ktoś inny, nie trzeba nic robić. Ta osoba niczego się o koncie nie dowiedziała.',
    },
    resetPassword: {
      subject: 'Nowe hasło',
      title: 'Ustawienie nowego hasła',
      lines: [
        'Ktoś, zapewne właściciel konta, poprosił o nowe hasło dla {email}. Link działa raz, do: {until}. Jego użycie zamyka wszystkie sesje.',
      ],
      action: 'Ustaw hasło',
      closing: 'To ktoś inny? Wystarczy zignorować tę wiadomość: hasło pozostanie bez zmian.',
    },
    passwordChanged: {
      subject: 'Hasło zostało zmienione',
      title: 'Hasło zostało zmienione',
      lines: ['Od tej chwili konto {email} ma nowe hasło.'],
      closing:
        'To ktoś inny? Trzeba od razu ustawić nowe przez „Nie pamiętasz hasła?” przy logowaniu: to zamyka wszystkie sesje.',
    },
    confirmEmailChange: {
      subject: 'Potwierdzenie nowego adresu',
      title: 'Zmiana adresu konta',
      lines: [
        'Konto ma przejść z {email} na {newEmail}. Link trzeba otworzyć w przeglądarce, w której sesja jest otwarta, do: {until}. Potem nowy adres zostanie potwierdzony osobną wiadomością.',
      ],
      action: 'Zmień adres',
      closing: 'To ktoś inny? Trzeba zignorować tę wiadomość i zmienić hasło: ktoś jest zalogowany na tym koncie.',
    },
    emailChanged: {
      subject: 'Adres konta został zmieniony',
      title: 'Konto ma nowy adres',
      lines: ['Konto nie należy już do {email}. Odtąd wiadomości trafiają na {newEmail}.'],
      closing: 'To ktoś inny? Trzeba od razu napisać do operatora usługi; ta wiadomość jest dowodem.',
    },
    confirmDeletion: {
      subject: 'Usunąć konto?',
      title: 'Usunięcie konta',
      lines: [
        'Link usuwa na zawsze konto {email} i wszystko, co do niego należy. Działa raz, do: {until}, w przeglądarce, w której sesja jest otwarta.',
      ],
      action: 'Usuń konto',
      closing: 'To ktoś inny? Trzeba zignorować tę wiadomość i zmienić hasło: ktoś jest zalogowany na tym koncie.',
    },
    deleted: {
      subject: 'Konto zostało usunięte',
      title: 'Do widzenia, {name}',
      lines: ['Konto {email} i wszystko, co do niego należało, zostało usunięte.'],
      closing: 'To ktoś inny? Trzeba napisać do operatora usługi; ta wiadomość jest dowodem.',
    },
    accountLinked: {
      subject: 'Połączono {provider} z kontem',
      title: 'Połączono {provider} z kontem',
      lines: ['Na konto {email} można się teraz logować przez {provider}.'],
      closing: 'Jeśli to działanie innej osoby, należy odłączyć {provider} w ustawieniach i natychmiast zmienić hasło.',
    },
    accountUnlinked: {
      subject: 'Odłączono {provider} od konta',
      title: 'Odłączono {provider} od konta',
      lines: ['Na konto {email} nie można się już logować przez {provider}.'],
      closing: 'Jeśli to działanie innej osoby, należy natychmiast zmienić hasło i sprawdzić sesje w ustawieniach.',
    },
    usernameChanged: {
      subject: 'Zmieniono nazwę użytkownika',
      title: 'Zmieniono nazwę użytkownika',
      lines: ['Nazwa użytkownika konta {email} to teraz {username}.'],
      closing: 'Jeśli to działanie innej osoby, należy natychmiast zmienić hasło i sprawdzić sesje w ustawieniach.',
    },
    confirmIdentity: {
      subject: 'Kod potwierdzający',
      title: 'Kod potwierdzający',
      lines: [
        'Aby potwierdzić tożsamość, należy wpisać ten kod: {code}',
        'Kodu można użyć tylko raz. Ważny do: {until}.',
      ],
      closing:
        'Jeśli to ktoś inny poprosił o ten kod, oznacza to, że używa tego konta: należy wylogować wszystkie sesje w ustawieniach. Kodu nie wolno nikomu udostępniać.',
    },
    emailChangeRejected: {
      subject: 'Przywrócono poprzedni adres e-mail',
      title: 'Przywrócono poprzedni adres e-mail',
      lines: [
        'Właściciel adresu {newEmail} zgłosił, że ten adres nie należy do tego konta. Konto znów używa adresu {email}.',
      ],
      closing: 'Jeśli nowy adres zawierał literówkę, można go ponownie zmienić w ustawieniach.',
    },
    administratorGranted: {
      subject: 'Przyznano uprawnienia administratora',
      title: 'Przyznano uprawnienia administratora',
      lines: ['Konto {email} ma teraz uprawnienia administratora.'],
      closing: 'Jeśli ta zmiana jest nieoczekiwana, należy skontaktować się z operatorem tej usługi.',
    },
    administratorAdded: {
      subject: 'Nowy administrator: {newAdministrator}',
      title: 'Nowy administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) ma teraz uprawnienia administratora.'],
      closing: 'Jeśli ta zmiana jest nieoczekiwana, należy odebrać tę rolę w panelu administracyjnym.',
    },
    administratorRevoked: {
      subject: 'Odebrano uprawnienia administratora',
      title: 'Odebrano uprawnienia administratora',
      lines: ['Konto {email} nie ma już uprawnień administratora.'],
      closing: 'W razie pytań należy skontaktować się z operatorem tej usługi.',
    },
    newDevice: {
      subject: 'Zalogowano z nowego urządzenia',
      title: 'Zalogowano z nowego urządzenia',
      lines: ['Ktoś właśnie zalogował się na {email} z urządzenia, którego dotąd nie było.'],
      closing:
        'Jeśli to właściciel konta, wszystko w porządku. Jeśli nie, trzeba od razu zmienić hasło i zamknąć tę sesję w ustawieniach.',
    },
    roleChanged: {
      subject: 'Zmiana roli w {organization}',
      title: 'Zmiana roli w {organization}',
      lines: ['Zmiany dokonuje: {actor}. Obecna rola: {role}.'],
      action: 'Otwórz {organization}',
      closing: 'Na pytania odpowiedzą właściciele {organization}.',
    },
    memberRemoved: {
      subject: 'Koniec członkostwa w {organization}',
      title: 'Koniec członkostwa w {organization}',
      lines: ['Decyzję podjęła osoba: {actor}. Konto pozostaje bez zmian.'],
      closing: 'Jeśli to pomyłka, można poprosić o nowe zaproszenie.',
    },
    ownershipReceived: {
      subject: 'Rola właściciela w {organization}',
      title: 'Rola właściciela w {organization}',
      lines: ['Nadaje ją: {actor}. Właściciel może wszystko zmienić, usunąć organizację i przekazać własność dalej.'],
      action: 'Otwórz {organization}',
      closing: 'Własność można przekazać innej osobie w organizacji.',
    },
    invitation: {
      subject: 'Zaproszenie do {organization} od: {actor}',
      title: 'Zaproszenie do {organization}',
      lines: ['Zaprasza: {actor}. Rola: {role}. Zaproszenie jest ważne do: {until}.'],
      action: 'Zobacz zaproszenie',
      closing: 'Nieznana osoba? Wystarczy zignorować tę wiadomość: samo z siebie nic się nie stanie.',
    },
    invitationAccepted: {
      subject: 'Nowa osoba w {organization}: {actor}',
      title: 'Nowa osoba w {organization}: {actor}',
      lines: ['Zaproszenie wysłane na {address} zostało przyjęte. Rola: {role}.'],
      action: 'Zobacz członków',
      closing: 'Ta wiadomość trafia do osoby, która wysłała zaproszenie.',
    },
    paymentFailed: {
      subject: 'Płatność się nie powiodła',
      title: 'Płatność się nie powiodła',
      lines: [
        'Płatność za {about} nie została przyjęta. Warto sprawdzić kartę lub wybrać inny sposób; wtedy nastąpi kolejna próba.',
      ],
      action: 'Zobacz rozliczenia',
      closing: 'Dostęp na razie pozostaje bez zmian.',
    },
    subscriptionOnHold: {
      subject: 'Subskrypcja jest wstrzymana',
      title: 'Subskrypcja jest wstrzymana',
      lines: [
        'Subskrypcja dla {about} jest wstrzymana z powodu braku płatności. Po odnowieniu sposobu płatności będzie działać dalej.',
      ],
      action: 'Zobacz rozliczenia',
      closing: 'Bez płatności prawa z subskrypcji wygasają.',
    },
    subscriptionEnded: {
      subject: 'Subskrypcja się zakończyła',
      title: 'Subskrypcja się zakończyła',
      lines: ['Subskrypcja dla {about} dobiegła końca. Można ją wznowić w każdej chwili.'],
      action: 'Zobacz rozliczenia',
      closing: 'Płatności pozostają na liście.',
    },
  },
}
