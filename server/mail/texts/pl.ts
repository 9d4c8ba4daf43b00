import type { MailTexts } from '../mail-texts.ts'

/** The Polish texts of all emails. */
export const pl: MailTexts = {
  common: {
    when: 'Kiedy',
    device: 'Urządzenie',
    unknownDevice: 'Nieznane',
    hint: 'Jeśli przycisk nie działa, otwórz ten link:',
    password: 'Hasło',
  },
  roles: {
    owner: 'Właściciel',
    admin: 'Administrator',
    member: 'Członek',
  },
  mails: {
    verifyEmail: {
      subject: 'Zweryfikuj adres e-mail',
      title: '{name}, zweryfikuj adres e-mail',
      lines: ['Potwierdź, że adres {email} należy do Ciebie. Link działa do {until}.'],
      action: 'Zweryfikuj adres e-mail',
      closing:
        'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Nic się nie stanie, dopóki link nie zostanie otwarty.',
    },
    signUpAttempt: {
      subject: 'Ktoś próbował utworzyć konto z Twoim adresem e-mail',
      title: 'Masz już konto',
      lines: [
        'Ktoś, być może Ty, próbował utworzyć nowe konto z adresem {email}. Niczego nie zmieniono.',
        'Jeśli to Ty, zaloguj się przy użyciu hasła. Jeśli go nie pamiętasz lub to konto nigdy nie było używane, ustaw nowe hasło na stronie logowania.',
      ],
      action: 'Zaloguj się',
      closing: 'Jeśli to nie Ty, zignoruj tę wiadomość. Nie udostępniono żadnych informacji o koncie.',
    },
    resetPassword: {
      subject: 'Zresetuj hasło',
      title: 'Zresetuj hasło',
      lines: [
        'Ktoś, prawdopodobnie Ty, poprosił o zresetowanie hasła do konta {email}. Link działa tylko raz i wygasa {until}. Ustawienie nowego hasła spowoduje wylogowanie ze wszystkich sesji.',
      ],
      action: 'Ustaw nowe hasło',
      closing: 'Jeśli to nie Ty, zignoruj tę wiadomość. Hasło pozostanie bez zmian.',
    },
    passwordChanged: {
      subject: 'Zmieniono hasło',
      title: 'Zmieniono hasło',
      lines: ['Hasło do konta {email} zostało właśnie zmienione.'],
      closing:
        'Jeśli to nie Ty, wybierz „Nie pamiętasz hasła?” na stronie logowania i natychmiast ustaw nowe. Spowoduje to wylogowanie ze wszystkich sesji.',
    },
    confirmEmailChange: {
      subject: 'Potwierdź zmianę adresu e-mail',
      title: 'Zmienić adres e-mail?',
      lines: [
        'Poproszono o zmianę adresu e-mail konta z {email} na {newEmail}. Otwórz link w przeglądarce, w której zalogowano się na to konto. Link działa do {until}. Następnie wyślemy link weryfikacyjny na adres {newEmail}.',
      ],
      action: 'Zmień adres e-mail',
      closing:
        'Jeśli to nie Ty, nie otwieraj linku i natychmiast zmień hasło. Ktoś inny jest zalogowany na Twoim koncie.',
    },
    emailChanged: {
      subject: 'Zmieniono adres e-mail',
      title: 'Zmieniono adres e-mail',
      lines: ['Konto nie używa już adresu {email}. Od teraz wszystkie wiadomości będą wysyłane na adres {newEmail}.'],
      closing: 'Jeśli to nie Ty, natychmiast skontaktuj się z pomocą techniczną i zachowaj tę wiadomość jako dowód.',
    },
    confirmDeletion: {
      subject: 'Usunąć konto?',
      title: 'Usunąć konto?',
      lines: [
        'Użyj tego linku, aby trwale usunąć konto {email} i wszystkie jego dane. Link działa tylko raz, wyłącznie w przeglądarce, w której zalogowano się na to konto, i wygasa {until}.',
      ],
      action: 'Usuń konto',
      closing:
        'Jeśli to nie Ty, nie otwieraj linku i natychmiast zmień hasło. Ktoś inny jest zalogowany na Twoim koncie.',
    },
    deleted: {
      subject: 'Konto zostało usunięte',
      title: 'Do widzenia, {name}',
      lines: ['Konto {email} i wszystkie jego dane zostały usunięte.'],
      closing: 'Jeśli to nie Ty, skontaktuj się z pomocą techniczną i zachowaj tę wiadomość jako dowód.',
    },
    apiKeyCreated: {
      subject: 'Utworzono klucz API',
      title: 'Utworzono klucz API',
      lines: ['Dla konta {email} utworzono klucz API {key}. Każdy, kto ma ten klucz, może działać w Twoim imieniu.'],
      closing: 'Jeśli to nie Ty, usuń klucz w ustawieniach i natychmiast zmień hasło.',
    },
    twoFactorEnabled: {
      subject: 'Weryfikacja dwuetapowa jest włączona',
      title: 'Weryfikacja dwuetapowa jest włączona',
      lines: [
        'Od teraz logowanie na konto {email} wymaga też kodu z aplikacji uwierzytelniającej. Pozostałe sesje zostały zakończone.',
      ],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    twoFactorDisabled: {
      subject: 'Weryfikacja dwuetapowa jest wyłączona',
      title: 'Weryfikacja dwuetapowa jest wyłączona',
      lines: ['Logowanie na konto {email} nie wymaga już kodu. Kody odzyskiwania przestały działać.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    recoveryCodesReplaced: {
      subject: 'Zastąpiono kody odzyskiwania',
      title: 'Zastąpiono kody odzyskiwania',
      lines: ['Utworzono nowe kody odzyskiwania konta {email}. Stare kody przestały działać.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    recoveryCodeUsed: {
      subject: 'Użyto kodu odzyskiwania',
      title: 'Użyto kodu odzyskiwania',
      lines: ['Do zalogowania na konto {email} użyto kodu odzyskiwania. Pozostało kodów: {left}'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    signInCode: {
      subject: 'Kod logowania',
      title: 'Kod logowania',
      lines: ['Wpisz ten kod, aby zalogować się na konto {email}: {code}', 'Kod działa tylko raz i wygasa {until}.'],
      closing: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Nigdy nikomu nie podawaj tego kodu.',
    },
    verificationCode: {
      subject: 'Kod weryfikacyjny',
      title: 'Kod weryfikacyjny',
      lines: ['Wpisz ten kod, aby zweryfikować {email}: {code}', 'Kod działa tylko raz i wygasa {until}.'],
      closing: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Nigdy nikomu nie podawaj tego kodu.',
    },
    resetCode: {
      subject: 'Kod do zresetowania hasła',
      title: 'Kod do zresetowania hasła',
      lines: [
        'Wpisz ten kod, aby ustawić nowe hasło do konta {email}: {code}',
        'Kod działa tylko raz i wygasa {until}.',
      ],
      closing: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Nigdy nikomu nie podawaj tego kodu.',
    },
    signInLink: {
      subject: 'Link do logowania',
      title: 'Link do logowania',
      lines: [
        'Otwórz link w przeglądarce, w której o niego poproszono, albo wpisz w niej ten kod: {code}',
        'Link i kod działają tylko raz i wygasają {until}.',
      ],
      action: 'Zaloguj się',
      closing: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj tę wiadomość. Nigdy nikomu nie podawaj tego kodu.',
    },
    passkeyAdded: {
      subject: 'Dodano klucz dostępu',
      title: 'Dodano klucz dostępu',
      lines: ['Dodano klucz dostępu {key}. Umożliwia logowanie na konto {email} bez hasła.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    passkeyRemoved: {
      subject: 'Usunięto klucz dostępu',
      title: 'Usunięto klucz dostępu',
      lines: ['Usunięto klucz dostępu {key} konta {email}. Nie umożliwia już logowania.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    passkeyRefused: {
      subject: 'Odrzucono klucz dostępu',
      title: 'Odrzucono klucz dostępu',
      lines: [
        'Odrzucono klucz dostępu {key} konta {email}, ponieważ mógł zostać skopiowany. Jeśli to Ty używasz go w tej chwili, usuń go w ustawieniach bezpieczeństwa i dodaj nowy.',
      ],
      action: 'Otwórz ustawienia bezpieczeństwa',
      closing: 'Jeśli to nie Ty, natychmiast go usuń i sprawdź sesje w ustawieniach.',
    },
    twoFactorRemovalCanceled: {
      subject: 'Weryfikacja dwuetapowa pozostaje włączona',
      title: 'Weryfikacja dwuetapowa pozostaje włączona',
      lines: [
        'Anulowano usunięcie weryfikacji dwuetapowej konta {email}: użyto drugiego składnika lub anulował je ktoś zalogowany na Twoim koncie.',
      ],
      closing: 'Jeśli to nie Ty, poproś administratora o zakończenie wszystkich Twoich sesji.',
    },
    unverifiedFactorsRemoved: {
      subject: 'Usunięto metody logowania',
      title: 'Usunięto metody logowania',
      lines: [
        'Potwierdzono, że adres {email} należy do Ciebie. Dodane wcześniej klucze dostępu i aplikacje uwierzytelniające zostały usunięte, ponieważ mógł je dodać ktoś inny.',
        'Jeśli należały do Ciebie, dodaj je ponownie w ustawieniach bezpieczeństwa.',
      ],
      action: 'Otwórz ustawienia bezpieczeństwa',
      closing: 'Jeśli ta zmiana jest nieoczekiwana, skontaktuj się z pomocą techniczną.',
    },
    twoFactorRemoval: {
      subject: 'Weryfikacja dwuetapowa zostanie usunięta',
      title: 'Weryfikacja dwuetapowa zostanie usunięta',
      lines: [
        'Administrator usunie weryfikację dwuetapową konta {email} {until}, ponieważ zgłoszono utratę dostępu do niej. Aby to anulować, zaloguj się jednym ze swoich kodów.',
      ],
      closing: 'Jeśli ta prośba nie pochodzi od Ciebie, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    secondStepCode: {
      subject: 'Kod weryfikacji dwuetapowej',
      title: 'Kod weryfikacji dwuetapowej',
      lines: [
        'Wpisz ten kod, aby dokończyć logowanie na konto {email}: {code}',
        'Kod działa tylko raz i wygasa {until}.',
      ],
      closing: 'Jeśli to nie Ty, ktoś zna Twoje hasło: natychmiast je zmień. Nigdy nikomu nie podawaj tego kodu.',
    },
    secondStepFailed: {
      subject: 'Nieprawidłowe kody przy logowaniu',
      title: 'Nieprawidłowe kody przy logowaniu',
      lines: [
        'Dla konta {email} wpisano pięć nieprawidłowych kodów. Poprzedni etap logowania powiódł się, więc ktoś może znać Twoje hasło.',
      ],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło.',
    },
    endpointDisabled: {
      subject: 'Webhook został wyłączony',
      title: 'Webhook został wyłączony',
      lines: [
        'Przez pięć dni nie udało się dostarczyć żadnego zdarzenia pod adres {host}, więc zdarzenia nie są tam już wysyłane. Zdarzenia z tego czasu są przechowywane i można je odczytać przez API.',
      ],
      action: 'Wyświetl dostarczenia',
      closing:
        'Usuń problem po stronie odbiorcy, a potem ponownie włącz webhook. Oczekujące zdarzenia zostaną wtedy wysłane.',
    },
    endpointGone: {
      subject: 'Webhook został wyłączony',
      title: 'Webhook został wyłączony',
      lines: [
        'Odbiorca {host} odpowiedział na zdarzenie kodem „410 Gone”, co oznacza, że nie chce już otrzymywać zdarzeń, więc nie są tam już wysyłane. Kolejne zdarzenia są przechowywane i można je odczytać przez API.',
      ],
      action: 'Wyświetl dostarczenia',
      closing:
        'Jeśli nie było to zamierzone, usuń problem po stronie odbiorcy, a potem ponownie włącz webhook. Oczekujące zdarzenia zostaną wtedy wysłane.',
    },
    accountLinked: {
      subject: 'Połączono konto {provider} z Twoim kontem',
      title: 'Połączono konto {provider} z Twoim kontem',
      lines: ['Na konto {email} można się teraz logować przez {provider}.'],
      closing: 'Jeśli to nie Ty, odłącz konto {provider} w ustawieniach i natychmiast zmień hasło.',
    },
    accountUnlinked: {
      subject: 'Odłączono metodę logowania: {provider}',
      title: 'Odłączono metodę logowania: {provider}',
      lines: ['Na konto {email} nie można się już logować za pomocą metody {provider}.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    usernameChanged: {
      subject: 'Zmieniono nazwę użytkownika',
      title: 'Zmieniono nazwę użytkownika',
      lines: ['Nazwa użytkownika konta {email} to teraz {username}.'],
      closing: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź sesje w ustawieniach.',
    },
    confirmIdentity: {
      subject: 'Kod potwierdzający',
      title: 'Kod potwierdzający',
      lines: ['Wpisz ten kod, aby potwierdzić tożsamość: {code}', 'Kod działa tylko raz i wygasa {until}.'],
      closing:
        'Jeśli ta prośba nie pochodzi od Ciebie, ktoś inny używa Twojego konta. Wyloguj się ze wszystkich innych sesji w ustawieniach. Nigdy nikomu nie podawaj tego kodu.',
    },
    emailChangeRejected: {
      subject: 'Przywrócono poprzedni adres e-mail',
      title: 'Przywrócono poprzedni adres e-mail',
      lines: [
        'Właściciel adresu {newEmail} zgłosił, że ten adres nie należy do tego konta. Konto znów używa adresu {email}.',
      ],
      closing: 'Jeśli w nowym adresie e-mail była literówka, zmień go ponownie w ustawieniach.',
    },
    accountCreated: {
      subject: 'Utworzono dla Ciebie konto',
      title: 'Utworzono dla Ciebie konto',
      lines: [
        'Użytkownik {actor} utworzył konto dla adresu {email}.',
        'Zaloguj się przy użyciu otrzymanego hasła. Aby ustawić własne, wybierz „Nie pamiętasz hasła?” na stronie logowania.',
      ],
      action: 'Zaloguj się',
      closing: 'Jeśli ta wiadomość jest nieoczekiwana, zignoruj ją lub skontaktuj się z pomocą techniczną.',
    },
    administratorGranted: {
      subject: 'Przyznano Ci rolę administratora',
      title: 'Przyznano Ci rolę administratora',
      lines: [
        'Konto {email} ma teraz rolę administratora.',
        'Klucze dostępu Twojego konta: {passkeys}. W ustawieniach bezpieczeństwa usuń te, których nie rozpoznajesz, oraz aplikację uwierzytelniającą, jeśli nie skonfigurowano jej za Twoją wiedzą.',
      ],
      action: 'Otwórz ustawienia bezpieczeństwa',
      closing: 'Jeśli ta zmiana jest nieoczekiwana, skontaktuj się z pomocą techniczną.',
    },
    administratorAdded: {
      subject: 'Nowy administrator: {newAdministrator}',
      title: 'Nowy administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) ma teraz rolę administratora.'],
      closing: 'Jeśli ta zmiana jest nieoczekiwana, odbierz tę rolę w sekcji „Administracja”.',
    },
    administratorRevoked: {
      subject: 'Odebrano Ci rolę administratora',
      title: 'Odebrano Ci rolę administratora',
      lines: ['Konto {email} nie ma już roli administratora.'],
      closing: 'W razie pytań skontaktuj się z pomocą techniczną.',
    },
    newDevice: {
      subject: 'Nowe logowanie na Twoje konto',
      title: 'Nowe logowanie na Twoje konto',
      lines: ['Ktoś właśnie zalogował się na konto {email} na nowym urządzeniu.'],
      closing:
        'Jeśli to Ty, nie trzeba nic robić. Jeśli nie, natychmiast zmień hasło i wyloguj to urządzenie w ustawieniach.',
    },
    roleChanged: {
      subject: 'Zmieniono Twoją rolę w organizacji {organization}',
      title: 'Zmieniono Twoją rolę w organizacji {organization}',
      lines: ['Użytkownik {actor} zmienił Twoją rolę na: {role}.'],
      action: 'Otwórz organizację {organization}',
      closing: 'W razie pytań skontaktuj się z właścicielem organizacji {organization}.',
    },
    secondFactorRequired: {
      subject: 'Organizacja {organization} wymaga drugiego składnika',
      title: 'Organizacja {organization} wymaga drugiego składnika',
      lines: [
        'Od {until} członkowie będą potrzebować drugiego składnika, aby otworzyć organizację {organization}: klucza dostępu lub aplikacji uwierzytelniającej. Nie masz jeszcze żadnego.',
      ],
      action: 'Skonfiguruj drugi składnik',
      closing: 'W razie pytań skontaktuj się z właścicielem organizacji {organization}.',
    },
    memberRemoved: {
      subject: 'Usunięto Cię z organizacji {organization}',
      title: 'Usunięto Cię z organizacji {organization}',
      lines: ['Użytkownik {actor} usunął Cię z organizacji. Konto pozostaje bez zmian.'],
      closing: 'Jeśli to pomyłka, poproś użytkownika {actor} o nowe zaproszenie.',
    },
    ownershipReceived: {
      subject: 'Przyznano Ci rolę właściciela organizacji {organization}',
      title: 'Przyznano Ci rolę właściciela organizacji {organization}',
      lines: [
        'Użytkownik {actor} przyznał Ci rolę właściciela. Możesz zmieniać wszystkie ustawienia organizacji, usunąć ją i przekazać własność.',
      ],
      action: 'Otwórz organizację {organization}',
      closing: 'Jeśli nie chcesz tej roli, możesz przekazać własność innemu członkowi.',
    },
    invitation: {
      subject: 'Użytkownik {actor} zaprosił Cię do organizacji {organization}',
      title: 'Użytkownik {actor} zaprosił Cię do organizacji {organization}',
      lines: ['Twoja rola: {role}. Zaproszenie wygasa {until}.'],
      action: 'Wyświetl zaproszenie',
      closing:
        'Jeśli nie znasz użytkownika {actor}, zignoruj tę wiadomość. Nic się nie stanie, dopóki zaproszenie nie zostanie przyjęte.',
    },
    invitationAccepted: {
      subject: 'Użytkownik {actor} dołączył do organizacji {organization}',
      title: 'Użytkownik {actor} dołączył do organizacji {organization}',
      lines: ['Zaproszenie wysłane na adres {inviteeEmail} zostało przyjęte. Rola: {role}.'],
      action: 'Wyświetl członków',
      closing: 'Otrzymujesz tę wiadomość, ponieważ zaproszenie zostało wysłane przez Ciebie.',
    },
    paymentFailed: {
      subject: 'Płatność nie powiodła się',
      title: 'Płatność nie powiodła się',
      lines: [
        'Płatność ({about}) nie powiodła się. Sprawdź kartę lub użyj innej metody płatności. Następnie płatność zostanie ponowiona.',
      ],
      action: 'Wyświetl rozliczenia',
      closing: 'Dostęp na razie pozostaje bez zmian.',
    },
    subscriptionPastDue: {
      subject: 'Płatność jest zaległa',
      title: 'Płatność jest zaległa',
      lines: [
        'Płatność za subskrypcję ({about}) nie powiodła się. Zaktualizuj metodę płatności, aby zachować subskrypcję.',
      ],
      action: 'Wyświetl rozliczenia',
      closing: 'Dostęp na razie pozostaje bez zmian.',
    },
    trialEnding: {
      subject: 'Bezpłatny okres próbny wkrótce się skończy',
      title: 'Bezpłatny okres próbny wkrótce się skończy',
      lines: ['Bezpłatny okres próbny ({about}) kończy się {until}. Potem zostanie pobrana opłata za subskrypcję.'],
      action: 'Wyświetl rozliczenia',
      closing: 'Jeśli nie chcesz kontynuować, anuluj subskrypcję przed tym terminem.',
    },
    subscriptionOnHold: {
      subject: 'Subskrypcja jest zawieszona',
      title: 'Subskrypcja jest zawieszona',
      lines: [
        'Subskrypcja ({about}) jest zawieszona z powodu zaległej płatności. Zaktualizuj metodę płatności, aby zachować subskrypcję.',
      ],
      action: 'Wyświetl rozliczenia',
      closing: 'Bez płatności stracisz dostęp do funkcji subskrypcji.',
    },
    subscriptionEnded: {
      subject: 'Subskrypcja zakończyła się',
      title: 'Subskrypcja zakończyła się',
      lines: ['Subskrypcja ({about}) zakończyła się. W każdej chwili możesz wykupić ją ponownie.'],
      action: 'Wyświetl rozliczenia',
      closing: 'Dotychczasowe płatności pozostają widoczne w sekcji „Rozliczenia”.',
    },
  },
}
