import type { Mail, Wording } from '../foundation/mail.ts'
import { mailOf, wording, type Addressee, type Cause } from '../foundation/wording.ts'

/** A mail about an account. */
export function accountMail(kind: keyof typeof accountMails, addressee: Addressee, cause: Cause): Mail {
  return mailOf(kind, addressee, cause, reports.has(kind))
}

/** Mails that tell the owner what has happened. */
const reports: ReadonlySet<string> = new Set([
  'accountLinked',
  'accountUnlinked',
  'administratorAdded',
  'administratorGranted',
  'administratorRevoked',
  'newDevice',
  'passwordChanged',
  'usernameChanged',
])

/** The wording of this room's mails, by kind. */
export const accountMails = {
  verifyEmail: wording({
    en: {
      subject: 'Confirm your address',
      title: 'Confirm your address, {name}',
      lines: ['One click proves that {email} is yours. The link works until {until}.'],
      action: 'Confirm the address',
      closing: 'You did not make an account? Then leave this mail alone: without the click nothing happens.',
    },
    de: {
      subject: 'Bestätigen Sie Ihre Adresse',
      title: 'Bestätigen Sie Ihre Adresse, {name}',
      lines: ['Ein Klick belegt, dass {email} Ihnen gehört. Der Link gilt bis {until}.'],
      action: 'Adresse bestätigen',
      closing: 'Sie haben kein Konto angelegt? Dann ignorieren Sie diese Nachricht: Ohne den Klick geschieht nichts.',
    },
    es: {
      subject: 'Confirma tu dirección',
      title: 'Confirma tu dirección, {name}',
      lines: ['Un clic demuestra que {email} es tuya. El enlace funciona hasta el {until}.'],
      action: 'Confirmar la dirección',
      closing: '¿No has creado una cuenta? Ignora este mensaje: sin el clic no pasa nada.',
    },
    fr: {
      subject: 'Confirmez votre adresse',
      title: 'Confirmez votre adresse, {name}',
      lines: ['Un clic prouve que {email} vous appartient. Le lien est valable jusqu’au {until}.'],
      action: 'Confirmer l’adresse',
      closing: 'Vous n’avez pas créé de compte ? Ignorez ce message : sans ce clic, rien ne se passe.',
    },
    pl: {
      subject: 'Potwierdzenie adresu',
      title: 'Potwierdzenie adresu: {name}',
      lines: ['Jedno kliknięcie potwierdzi, że adres {email} należy do właściciela konta. Link działa do: {until}.'],
      action: 'Potwierdź adres',
      closing: 'To konto zakłada ktoś inny? Wystarczy zignorować tę wiadomość: bez kliknięcia nic się nie stanie.',
    },
    tr: {
      subject: 'Adresinizi doğrulayın',
      title: 'Adresinizi doğrulayın, {name}',
      lines: ['Tek bir tıklama {email} adresinin size ait olduğunu gösterir. Bağlantı {until} anına kadar geçerlidir.'],
      action: 'Adresi doğrula',
      closing: 'Hesap açmadınız mı? Bu iletiyi yok sayın: tıklamadığınız sürece hiçbir şey olmaz.',
    },
    uk: {
      subject: 'Підтвердьте свою адресу',
      title: 'Підтвердьте свою адресу, {name}',
      lines: ['Одне натискання підтвердить, що {email} належить вам. Посилання діє до {until}.'],
      action: 'Підтвердити адресу',
      closing: 'Ви не створювали облікового запису? Не зважайте на цей лист: без натискання нічого не станеться.',
    },
    ru: {
      subject: 'Подтвердите свой адрес',
      title: 'Подтвердите свой адрес, {name}',
      lines: ['Одно нажатие подтвердит, что {email} принадлежит вам. Ссылка действует до {until}.'],
      action: 'Подтвердить адрес',
      closing: 'Вы не создавали учётную запись? Не обращайте внимания на это письмо: без нажатия ничего не произойдёт.',
    },
  }),

  signUpAttempt: wording({
    en: {
      subject: 'Somebody tried to make an account with your address',
      title: 'You already have an account',
      lines: [
        'Somebody, perhaps you, tried to make a new account with {email}. Nothing was changed.',
        'If it was you: sign in with your password. If you no longer know it, or never used this account, set a new one there.',
      ],
      action: 'Sign in',
      closing: 'If it was not you, you need not do anything. Whoever it was learned nothing about your account.',
    },
    de: {
      subject: 'Jemand wollte mit Ihrer Adresse ein Konto anlegen',
      title: 'Sie haben bereits ein Konto',
      lines: [
        'Jemand, vielleicht Sie selbst, wollte mit {email} ein neues Konto anlegen. Es wurde nichts geändert.',
        'Wenn Sie es waren: Melden Sie sich mit Ihrem Passwort an. Wenn Sie es nicht mehr wissen oder dieses Konto nie benutzt haben, vergeben Sie dort ein neues.',
      ],
      action: 'Anmelden',
      closing: 'Wenn Sie es nicht waren, müssen Sie nichts tun. Wer immer es war, hat nichts über Ihr Konto erfahren.',
    },
    es: {
      subject: 'Alguien ha intentado crear una cuenta con tu dirección',
      title: 'Ya tienes una cuenta',
      lines: [
        'Alguien, quizá tú, ha intentado crear una cuenta nueva con {email}. No ha cambiado nada.',
        'Si fuiste tú, inicia sesión con tu contraseña. Si ya no la recuerdas, o nunca usaste esta cuenta, establece una nueva allí.',
      ],
      action: 'Iniciar sesión',
      closing: 'Si no fuiste tú, no hace falta que hagas nada. Quien lo intentó no ha sabido nada de tu cuenta.',
    },
    fr: {
      subject: 'Quelqu’un a voulu créer un compte avec votre adresse',
      title: 'Vous avez déjà un compte',
      lines: [
        'Quelqu’un, peut-être vous, a voulu créer un nouveau compte avec {email}. Rien n’a été modifié.',
        'Si c’était vous : connectez-vous avec votre mot de passe. Si vous ne le connaissez plus, ou si vous n’avez jamais utilisé ce compte, choisissez-en un nouveau à cet endroit.',
      ],
      action: 'Se connecter',
      closing: 'Si ce n’était pas vous, vous n’avez rien à faire. Cette personne n’a rien appris sur votre compte.',
    },
    pl: {
      subject: 'Ktoś próbował założyć konto na ten adres',
      title: 'Konto już istnieje',
      lines: [
        'Ktoś, być może właściciel adresu, próbował założyć nowe konto na {email}. Nic się nie zmieniło.',
        'Istniejące konto czeka na zalogowanie hasłem. Jeśli hasło jest nieznane lub konto nigdy nie było używane, można tam ustawić nowe.',
      ],
      action: 'Zaloguj się',
      closing: 'Jeśli to ktoś inny, nie trzeba nic robić. Ta osoba niczego się o koncie nie dowiedziała.',
    },
    tr: {
      subject: 'Biri sizin adresinizle hesap açmaya çalıştı',
      title: 'Zaten bir hesabınız var',
      lines: [
        'Biri, belki de siz, {email} ile yeni bir hesap açmaya çalıştı. Hiçbir şey değişmedi.',
        'Siz idiyseniz: parolanızla oturum açın. Parolayı hatırlamıyorsanız ya da bu hesabı hiç kullanmadıysanız orada yenisini belirleyin.',
      ],
      action: 'Oturum aç',
      closing: 'Siz değilseniz bir şey yapmanız gerekmez. Deneyen kişi hesabınız hakkında hiçbir şey öğrenmedi.',
    },
    uk: {
      subject: 'Хтось намагався створити обліковий запис із вашою адресою',
      title: 'У вас уже є обліковий запис',
      lines: [
        'Хтось, можливо ви, намагався створити новий обліковий запис із {email}. Нічого не змінилося.',
        'Якщо це були ви: увійдіть зі своїм паролем. Якщо ви його не пам’ятаєте або ніколи не користувалися цим записом, задайте там новий.',
      ],
      action: 'Увійти',
      closing: 'Якщо це були не ви, нічого робити не треба. Та особа нічого не дізналася про ваш обліковий запис.',
    },
    ru: {
      subject: 'Кто-то пытался создать учётную запись с вашим адресом',
      title: 'У вас уже есть учётная запись',
      lines: [
        'Кто-то, возможно вы, пытался создать новую учётную запись с {email}. Ничего не изменилось.',
        'Если это были вы: войдите со своим паролем. Если вы его не помните или никогда не пользовались этой записью, задайте там новый.',
      ],
      action: 'Войти',
      closing: 'Если это были не вы, ничего делать не нужно. Тот человек ничего не узнал о вашей учётной записи.',
    },
  }),
  resetPassword: wording({
    en: {
      subject: 'Set a new password',
      title: 'Set a new password',
      lines: [
        'Somebody, probably you, asked for a new password for {email}. The link works once, until {until}. Setting it ends all sessions.',
      ],
      action: 'Set the password',
      closing: 'It was not you? Then leave this mail alone: your password stays as it is.',
    },
    de: {
      subject: 'Neues Passwort festlegen',
      title: 'Neues Passwort festlegen',
      lines: [
        'Jemand, vermutlich Sie, hat für {email} ein neues Passwort angefordert. Der Link gilt einmal und bis {until}. Damit enden alle Sitzungen.',
      ],
      action: 'Passwort festlegen',
      closing: 'Sie waren es nicht? Dann ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
    },
    es: {
      subject: 'Establece una contraseña nueva',
      title: 'Establece una contraseña nueva',
      lines: [
        'Alguien, probablemente tú, ha pedido una contraseña nueva para {email}. El enlace funciona una sola vez, hasta el {until}. Al usarlo se cierran todas las sesiones.',
      ],
      action: 'Establecer la contraseña',
      closing: '¿No fuiste tú? Ignora este mensaje: tu contraseña sigue igual.',
    },
    fr: {
      subject: 'Choisissez un nouveau mot de passe',
      title: 'Choisissez un nouveau mot de passe',
      lines: [
        'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour {email}. Le lien fonctionne une seule fois, jusqu’au {until}. Toutes les sessions prendront fin.',
      ],
      action: 'Choisir le mot de passe',
      closing: 'Ce n’était pas vous ? Ignorez ce message : votre mot de passe reste le même.',
    },
    pl: {
      subject: 'Nowe hasło',
      title: 'Ustawienie nowego hasła',
      lines: [
        'Ktoś, zapewne właściciel konta, poprosił o nowe hasło dla {email}. Link działa raz, do: {until}. Jego użycie zamyka wszystkie sesje.',
      ],
      action: 'Ustaw hasło',
      closing: 'To ktoś inny? Wystarczy zignorować tę wiadomość: hasło pozostanie bez zmian.',
    },
    tr: {
      subject: 'Yeni parola belirleyin',
      title: 'Yeni parola belirleyin',
      lines: [
        'Biri, muhtemelen siz, {email} için yeni bir parola istedi. Bağlantı bir kez ve {until} anına kadar çalışır. Kullanıldığında tüm oturumlar kapanır.',
      ],
      action: 'Parolayı belirle',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın: parolanız olduğu gibi kalır.',
    },
    uk: {
      subject: 'Задайте новий пароль',
      title: 'Задайте новий пароль',
      lines: [
        'Хтось, імовірно ви, попросив новий пароль для {email}. Посилання діє один раз, до {until}. Після цього всі сеанси буде завершено.',
      ],
      action: 'Задати пароль',
      closing: 'Це були не ви? Не зважайте на цей лист: ваш пароль не зміниться.',
    },
    ru: {
      subject: 'Задайте новый пароль',
      title: 'Задайте новый пароль',
      lines: [
        'Кто-то, вероятно вы, запросил новый пароль для {email}. Ссылка действует один раз, до {until}. После этого все сеансы будут завершены.',
      ],
      action: 'Задать пароль',
      closing: 'Это были не вы? Не обращайте внимания на это письмо: ваш пароль не изменится.',
    },
  }),

  passwordChanged: wording({
    en: {
      subject: 'Your password was changed',
      title: 'Your password was changed',
      lines: ['The password of {email} is a new one since just now.'],
      closing:
        'It was not you? Set a new password at once by “Forgot your password?” at the sign-in: that ends every session.',
    },
    de: {
      subject: 'Ihr Passwort wurde geändert',
      title: 'Ihr Passwort wurde geändert',
      lines: ['Für {email} gilt seit eben ein neues Passwort.'],
      closing:
        'Sie waren es nicht? Legen Sie bei der Anmeldung über „Passwort vergessen?“ sofort ein neues fest: Das beendet alle Sitzungen.',
    },
    es: {
      subject: 'Tu contraseña ha cambiado',
      title: 'Tu contraseña ha cambiado',
      lines: ['La contraseña de {email} es nueva desde ahora mismo.'],
      closing:
        '¿No fuiste tú? Establece otra enseguida con «¿Has olvidado tu contraseña?» al iniciar sesión: eso cierra todas las sesiones.',
    },
    fr: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Votre mot de passe a été modifié',
      lines: ['Le mot de passe de {email} vient d’être remplacé.'],
      closing:
        'Ce n’était pas vous ? Choisissez-en tout de suite un nouveau par « Mot de passe oublié ? » à la connexion : cela met fin à toutes les sessions.',
    },
    pl: {
      subject: 'Hasło zostało zmienione',
      title: 'Hasło zostało zmienione',
      lines: ['Od tej chwili konto {email} ma nowe hasło.'],
      closing:
        'To ktoś inny? Trzeba od razu ustawić nowe przez „Nie pamiętasz hasła?” przy logowaniu: to zamyka wszystkie sesje.',
    },
    tr: {
      subject: 'Parolanız değiştirildi',
      title: 'Parolanız değiştirildi',
      lines: ['{email} hesabının parolası az önce yenilendi.'],
      closing:
        'Siz değil miydiniz? Oturum açma ekranındaki “Parolanızı mı unuttunuz?” ile hemen yenisini belirleyin: bu, tüm oturumları kapatır.',
    },
    uk: {
      subject: 'Ваш пароль змінено',
      title: 'Ваш пароль змінено',
      lines: ['Відтепер {email} має новий пароль.'],
      closing: 'Це були не ви? Одразу задайте новий через «Забули пароль?» на сторінці входу: це завершить усі сеанси.',
    },
    ru: {
      subject: 'Ваш пароль изменён',
      title: 'Ваш пароль изменён',
      lines: ['С этой минуты у {email} новый пароль.'],
      closing: 'Это были не вы? Сразу задайте новый через «Забыли пароль?» на странице входа: это завершит все сеансы.',
    },
  }),

  confirmEmailChange: wording({
    en: {
      subject: 'Confirm your new address',
      title: 'Do you want to change your address?',
      lines: [
        'Your account is to move from {email} to {newEmail}. Open the link in the browser in which you are signed in, until {until}. Then the new address is proven by a mail of its own.',
      ],
      action: 'Change the address',
      closing:
        'It was not you? Then leave this mail alone and change your password: somebody is signed in to your account.',
    },
    de: {
      subject: 'Bestätigen Sie Ihre neue Adresse',
      title: 'Möchten Sie Ihre Adresse ändern?',
      lines: [
        'Ihr Konto soll von {email} zu {newEmail} umziehen. Öffnen Sie den Link bis {until} in dem Browser, in dem Sie angemeldet sind. Danach wird die neue Adresse mit einer eigenen Nachricht bestätigt.',
      ],
      action: 'Adresse ändern',
      closing:
        'Sie waren es nicht? Dann ignorieren Sie diese Nachricht und ändern Sie Ihr Passwort: Jemand ist in Ihrem Konto angemeldet.',
    },
    es: {
      subject: 'Confirma tu dirección nueva',
      title: '¿Quieres cambiar tu dirección?',
      lines: [
        'Tu cuenta va a pasar de {email} a {newEmail}. Abre el enlace en el navegador en el que tienes la sesión iniciada, hasta el {until}. Después, la dirección nueva se confirma con su propio mensaje.',
      ],
      action: 'Cambiar la dirección',
      closing: '¿No fuiste tú? Ignora este mensaje y cambia tu contraseña: alguien ha iniciado sesión en tu cuenta.',
    },
    fr: {
      subject: 'Confirmez votre nouvelle adresse',
      title: 'Voulez-vous changer d’adresse ?',
      lines: [
        'Votre compte doit passer de {email} à {newEmail}. Ouvrez le lien dans le navigateur où vous êtes connecté, jusqu’au {until}. La nouvelle adresse sera ensuite confirmée par un message à part.',
      ],
      action: 'Changer l’adresse',
      closing:
        'Ce n’était pas vous ? Ignorez ce message et changez votre mot de passe : quelqu’un est connecté à votre compte.',
    },
    pl: {
      subject: 'Potwierdzenie nowego adresu',
      title: 'Zmiana adresu konta',
      lines: [
        'Konto ma przejść z {email} na {newEmail}. Link trzeba otworzyć w przeglądarce, w której sesja jest otwarta, do: {until}. Potem nowy adres zostanie potwierdzony osobną wiadomością.',
      ],
      action: 'Zmień adres',
      closing: 'To ktoś inny? Trzeba zignorować tę wiadomość i zmienić hasło: ktoś jest zalogowany na tym koncie.',
    },
    tr: {
      subject: 'Yeni adresinizi onaylayın',
      title: 'Adresinizi değiştirmek istiyor musunuz?',
      lines: [
        'Hesabınız {email} adresinden {newEmail} adresine taşınacak. Bağlantıyı {until} anına kadar oturumunuzun açık olduğu tarayıcıda açın. Ardından yeni adres ayrı bir iletiyle doğrulanır.',
      ],
      action: 'Adresi değiştir',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın ve parolanızı değiştirin: hesabınızda biri oturum açmış.',
    },
    uk: {
      subject: 'Підтвердьте нову адресу',
      title: 'Змінити вашу адресу?',
      lines: [
        'Ваш обліковий запис має перейти з {email} на {newEmail}. Відкрийте посилання в браузері, де ви увійшли, до {until}. Після цього нову адресу буде підтверджено окремим листом.',
      ],
      action: 'Змінити адресу',
      closing: 'Це були не ви? Не зважайте на цей лист і змініть пароль: хтось увійшов у ваш запис.',
    },
    ru: {
      subject: 'Подтвердите новый адрес',
      title: 'Изменить ваш адрес?',
      lines: [
        'Ваша учётная запись должна перейти с {email} на {newEmail}. Откройте ссылку в браузере, где вы вошли, до {until}. После этого новый адрес будет подтверждён отдельным письмом.',
      ],
      action: 'Изменить адрес',
      closing: 'Это были не вы? Не обращайте внимания на это письмо и смените пароль: кто-то вошёл в вашу запись.',
    },
  }),

  emailChanged: wording({
    en: {
      subject: 'Your address was changed',
      title: 'Your account has a new address',
      lines: ['Your account no longer belongs to {email}. From now on its mails go to {newEmail}.'],
      closing: 'It was not you? Write to whoever runs this service at once; this mail is your proof.',
    },
    de: {
      subject: 'Ihre Adresse wurde geändert',
      title: 'Ihr Konto hat eine neue Adresse',
      lines: ['Ihr Konto gehört nicht mehr zu {email}. Ab jetzt gehen seine Nachrichten an {newEmail}.'],
      closing:
        'Sie waren es nicht? Wenden Sie sich sofort an den Betreiber dieses Dienstes; diese Nachricht ist Ihr Beleg.',
    },
    es: {
      subject: 'Tu dirección ha cambiado',
      title: 'Tu cuenta tiene una dirección nueva',
      lines: ['Tu cuenta ya no pertenece a {email}. A partir de ahora sus mensajes van a {newEmail}.'],
      closing: '¿No fuiste tú? Escribe enseguida a quien gestiona este servicio; este mensaje es tu prueba.',
    },
    fr: {
      subject: 'Votre adresse a été modifiée',
      title: 'Votre compte a une nouvelle adresse',
      lines: ['Votre compte n’appartient plus à {email}. Désormais, ses messages vont à {newEmail}.'],
      closing:
        'Ce n’était pas vous ? Écrivez sans attendre à l’exploitant de ce service ; ce message est votre preuve.',
    },
    pl: {
      subject: 'Adres konta został zmieniony',
      title: 'Konto ma nowy adres',
      lines: ['Konto nie należy już do {email}. Odtąd wiadomości trafiają na {newEmail}.'],
      closing: 'To ktoś inny? Trzeba od razu napisać do operatora usługi; ta wiadomość jest dowodem.',
    },
    tr: {
      subject: 'Adresiniz değiştirildi',
      title: 'Hesabınızın yeni bir adresi var',
      lines: ['Hesabınız artık {email} adresine ait değil. Bundan sonra iletileri {newEmail} adresine gider.'],
      closing: 'Siz değil miydiniz? Hemen bu hizmeti işletenlere yazın; bu ileti kanıtınızdır.',
    },
    uk: {
      subject: 'Вашу адресу змінено',
      title: 'Ваш обліковий запис має нову адресу',
      lines: ['Ваш обліковий запис більше не належить {email}. Відтепер його листи йдуть на {newEmail}.'],
      closing: 'Це були не ви? Одразу напишіть тому, хто керує цим сервісом; цей лист є вашим доказом.',
    },
    ru: {
      subject: 'Ваш адрес изменён',
      title: 'У вашей учётной записи новый адрес',
      lines: ['Ваша учётная запись больше не относится к {email}. Теперь её письма идут на {newEmail}.'],
      closing: 'Это были не вы? Сразу напишите тому, кто управляет этим сервисом; это письмо — ваше доказательство.',
    },
  }),

  confirmDeletion: wording({
    en: {
      subject: 'Delete your account?',
      title: 'Do you want to delete your account?',
      lines: [
        'With the link you delete the account of {email} and everything that belongs to it, for good. It works once, until {until}, in the browser in which you are signed in.',
      ],
      action: 'Delete the account',
      closing:
        'It was not you? Then leave this mail alone and change your password: somebody is signed in to your account.',
    },
    de: {
      subject: 'Konto löschen?',
      title: 'Möchten Sie Ihr Konto löschen?',
      lines: [
        'Mit dem Link löschen Sie das Konto von {email} und alles, was dazugehört, endgültig. Er gilt einmal, bis {until}, in dem Browser, in dem Sie angemeldet sind.',
      ],
      action: 'Konto löschen',
      closing:
        'Sie waren es nicht? Dann ignorieren Sie diese Nachricht und ändern Sie Ihr Passwort: Jemand ist in Ihrem Konto angemeldet.',
    },
    es: {
      subject: '¿Eliminar tu cuenta?',
      title: '¿Quieres eliminar tu cuenta?',
      lines: [
        'Con el enlace eliminas la cuenta de {email} y todo lo que le pertenece, para siempre. Funciona una sola vez, hasta el {until}, en el navegador en el que tienes la sesión iniciada.',
      ],
      action: 'Eliminar la cuenta',
      closing: '¿No fuiste tú? Ignora este mensaje y cambia tu contraseña: alguien ha iniciado sesión en tu cuenta.',
    },
    fr: {
      subject: 'Supprimer votre compte ?',
      title: 'Voulez-vous supprimer votre compte ?',
      lines: [
        'Avec ce lien, vous supprimez définitivement le compte de {email} et tout ce qui en fait partie. Il fonctionne une seule fois, jusqu’au {until}, dans le navigateur où vous êtes connecté.',
      ],
      action: 'Supprimer le compte',
      closing:
        'Ce n’était pas vous ? Ignorez ce message et changez votre mot de passe : quelqu’un est connecté à votre compte.',
    },
    pl: {
      subject: 'Usunąć konto?',
      title: 'Usunięcie konta',
      lines: [
        'Link usuwa na zawsze konto {email} i wszystko, co do niego należy. Działa raz, do: {until}, w przeglądarce, w której sesja jest otwarta.',
      ],
      action: 'Usuń konto',
      closing: 'To ktoś inny? Trzeba zignorować tę wiadomość i zmienić hasło: ktoś jest zalogowany na tym koncie.',
    },
    tr: {
      subject: 'Hesabınız silinsin mi?',
      title: 'Hesabınızı silmek istiyor musunuz?',
      lines: [
        'Bu bağlantıyla {email} hesabını ve ona ait her şeyi kalıcı olarak silersiniz. Bir kez, {until} anına kadar, oturumunuzun açık olduğu tarayıcıda çalışır.',
      ],
      action: 'Hesabı sil',
      closing: 'Siz değil miydiniz? Bu iletiyi yok sayın ve parolanızı değiştirin: hesabınızda biri oturum açmış.',
    },
    uk: {
      subject: 'Видалити обліковий запис?',
      title: 'Видалити ваш обліковий запис?',
      lines: [
        'За посиланням ви назавжди видалите запис {email} і все, що до нього належить. Воно діє один раз, до {until}, у браузері, де ви увійшли.',
      ],
      action: 'Видалити запис',
      closing: 'Це були не ви? Не зважайте на цей лист і змініть пароль: хтось увійшов у ваш запис.',
    },
    ru: {
      subject: 'Удалить учётную запись?',
      title: 'Удалить вашу учётную запись?',
      lines: [
        'По ссылке вы навсегда удалите запись {email} и всё, что к ней относится. Она действует один раз, до {until}, в браузере, где вы вошли.',
      ],
      action: 'Удалить запись',
      closing: 'Это были не вы? Не обращайте внимания на это письмо и смените пароль: кто-то вошёл в вашу запись.',
    },
  }),

  deleted: wording({
    en: {
      subject: 'Your account was deleted',
      title: 'Goodbye, {name}',
      lines: ['The account of {email} and everything that belonged to it are deleted.'],
      closing: 'It was not you? Write to whoever runs this service; this mail is your proof.',
    },
    de: {
      subject: 'Ihr Konto wurde gelöscht',
      title: 'Auf Wiedersehen, {name}',
      lines: ['Das Konto von {email} und alles, was dazugehörte, ist gelöscht.'],
      closing: 'Sie waren es nicht? Wenden Sie sich an den Betreiber dieses Dienstes; diese Nachricht ist Ihr Beleg.',
    },
    es: {
      subject: 'Tu cuenta se ha eliminado',
      title: 'Hasta siempre, {name}',
      lines: ['La cuenta de {email} y todo lo que le pertenecía se han eliminado.'],
      closing: '¿No fuiste tú? Escribe a quien gestiona este servicio; este mensaje es tu prueba.',
    },
    fr: {
      subject: 'Votre compte a été supprimé',
      title: 'Au revoir, {name}',
      lines: ['Le compte de {email} et tout ce qui en faisait partie sont supprimés.'],
      closing: 'Ce n’était pas vous ? Écrivez à l’exploitant de ce service ; ce message est votre preuve.',
    },
    pl: {
      subject: 'Konto zostało usunięte',
      title: 'Do widzenia, {name}',
      lines: ['Konto {email} i wszystko, co do niego należało, zostało usunięte.'],
      closing: 'To ktoś inny? Trzeba napisać do operatora usługi; ta wiadomość jest dowodem.',
    },
    tr: {
      subject: 'Hesabınız silindi',
      title: 'Hoşça kalın, {name}',
      lines: ['{email} hesabı ve ona ait her şey silindi.'],
      closing: 'Siz değil miydiniz? Bu hizmeti işletenlere yazın; bu ileti kanıtınızdır.',
    },
    uk: {
      subject: 'Ваш обліковий запис видалено',
      title: 'До побачення, {name}',
      lines: ['Обліковий запис {email} і все, що до нього належало, видалено.'],
      closing: 'Це були не ви? Напишіть тому, хто керує цим сервісом; цей лист є вашим доказом.',
    },
    ru: {
      subject: 'Ваша учётная запись удалена',
      title: 'До свидания, {name}',
      lines: ['Учётная запись {email} и всё, что к ней относилось, удалены.'],
      closing: 'Это были не вы? Напишите тому, кто управляет этим сервисом; это письмо — ваше доказательство.',
    },
  }),

  accountLinked: wording({
    en: {
      subject: '{provider} was linked to your account',
      title: '{provider} was linked to your account',
      lines: ['You can now sign in to {email} with {provider}.'],
      closing: 'If this was not you, unlink {provider} in your settings and change your password right away.',
    },
    de: {
      subject: '{provider} wurde mit Ihrem Konto verknüpft',
      title: '{provider} wurde mit Ihrem Konto verknüpft',
      lines: ['Sie können sich jetzt mit {provider} bei {email} anmelden.'],
      closing:
        'Wenn Sie das nicht waren, heben Sie die Verknüpfung mit {provider} in Ihren Einstellungen auf und ändern Sie sofort Ihr Passwort.',
    },
    es: {
      subject: 'Se ha vinculado {provider} a tu cuenta',
      title: 'Se ha vinculado {provider} a tu cuenta',
      lines: ['Ya puedes iniciar sesión en {email} con {provider}.'],
      closing: 'Si no has sido tú, desvincula {provider} en tu configuración y cambia tu contraseña de inmediato.',
    },
    fr: {
      subject: '{provider} a été associé à votre compte',
      title: '{provider} a été associé à votre compte',
      lines: ['Vous pouvez désormais vous connecter à {email} avec {provider}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, dissociez {provider} dans vos paramètres et changez immédiatement votre mot de passe.',
    },
    pl: {
      subject: 'Połączono {provider} z kontem',
      title: 'Połączono {provider} z kontem',
      lines: ['Na konto {email} można się teraz logować przez {provider}.'],
      closing: 'Jeśli to działanie innej osoby, należy odłączyć {provider} w ustawieniach i natychmiast zmienić hasło.',
    },
    tr: {
      subject: 'Hesabınıza {provider} bağlandı',
      title: 'Hesabınıza {provider} bağlandı',
      lines: ['Artık {email} hesabında {provider} ile oturum açabilirsiniz.'],
      closing:
        'Bu işlemi siz yapmadıysanız ayarlarınızdan {provider} bağlantısını kaldırın ve parolanızı hemen değiştirin.',
    },
    uk: {
      subject: 'Спосіб входу {provider} прив’язано до вашого облікового запису',
      title: 'Спосіб входу {provider} прив’язано до вашого облікового запису',
      lines: ['Тепер ви можете входити в обліковий запис {email} через {provider}.'],
      closing: 'Якщо це зробили не ви, відв’яжіть {provider} у налаштуваннях і негайно змініть пароль.',
    },
    ru: {
      subject: 'Способ входа {provider} привязан к вашему аккаунту',
      title: 'Способ входа {provider} привязан к вашему аккаунту',
      lines: ['Теперь вы можете входить в аккаунт {email} через {provider}.'],
      closing: 'Если это сделали не вы, отвяжите {provider} в настройках и немедленно смените пароль.',
    },
  }),

  accountUnlinked: wording({
    en: {
      subject: '{provider} was unlinked from your account',
      title: '{provider} was unlinked from your account',
      lines: ['{provider} can no longer be used to sign in to {email}.'],
      closing: 'If this was not you, change your password right away and check the sessions in your settings.',
    },
    de: {
      subject: '{provider} ist nicht mehr mit Ihrem Konto verknüpft',
      title: '{provider} ist nicht mehr mit Ihrem Konto verknüpft',
      lines: ['{provider} kann nicht mehr für die Anmeldung bei {email} verwendet werden.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    es: {
      subject: 'Se ha desvinculado {provider} de tu cuenta',
      title: 'Se ha desvinculado {provider} de tu cuenta',
      lines: ['Ya no se puede usar {provider} para iniciar sesión en {email}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en tu configuración.',
    },
    fr: {
      subject: '{provider} a été dissocié de votre compte',
      title: '{provider} a été dissocié de votre compte',
      lines: ['{provider} ne permet plus de se connecter à {email}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, changez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    pl: {
      subject: 'Odłączono {provider} od konta',
      title: 'Odłączono {provider} od konta',
      lines: ['Na konto {email} nie można się już logować przez {provider}.'],
      closing: 'Jeśli to działanie innej osoby, należy natychmiast zmienić hasło i sprawdzić sesje w ustawieniach.',
    },
    tr: {
      subject: 'Hesabınızın {provider} bağlantısı kaldırıldı',
      title: 'Hesabınızın {provider} bağlantısı kaldırıldı',
      lines: ['Artık {email} hesabında {provider} ile oturum açılamaz.'],
      closing: 'Bu işlemi siz yapmadıysanız parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    uk: {
      subject: 'Спосіб входу {provider} відв’язано від вашого облікового запису',
      title: 'Спосіб входу {provider} відв’язано від вашого облікового запису',
      lines: ['Увійти в обліковий запис {email} через {provider} більше не можна.'],
      closing: 'Якщо це зробили не ви, негайно змініть пароль і перевірте сеанси в налаштуваннях.',
    },
    ru: {
      subject: 'Способ входа {provider} отвязан от вашего аккаунта',
      title: 'Способ входа {provider} отвязан от вашего аккаунта',
      lines: ['Войти в аккаунт {email} через {provider} больше нельзя.'],
      closing: 'Если это сделали не вы, немедленно смените пароль и проверьте сеансы в настройках.',
    },
  }),

  usernameChanged: wording({
    en: {
      subject: 'Your username was changed',
      title: 'Your username was changed',
      lines: ['The username of {email} is now {username}.'],
      closing: 'If this was not you, change your password right away and check the sessions in your settings.',
    },
    de: {
      subject: 'Ihr Benutzername wurde geändert',
      title: 'Ihr Benutzername wurde geändert',
      lines: ['Der Benutzername von {email} lautet jetzt {username}.'],
      closing:
        'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und prüfen Sie die Sitzungen in Ihren Einstellungen.',
    },
    es: {
      subject: 'Se ha cambiado tu nombre de usuario',
      title: 'Se ha cambiado tu nombre de usuario',
      lines: ['El nombre de usuario de {email} ahora es {username}.'],
      closing: 'Si no has sido tú, cambia tu contraseña de inmediato y revisa las sesiones en tu configuración.',
    },
    fr: {
      subject: 'Votre nom d’utilisateur a été modifié',
      title: 'Votre nom d’utilisateur a été modifié',
      lines: ['Le nom d’utilisateur de {email} est désormais {username}.'],
      closing:
        'Si vous n’êtes pas à l’origine de cette action, changez immédiatement votre mot de passe et vérifiez les sessions dans vos paramètres.',
    },
    pl: {
      subject: 'Zmieniono nazwę użytkownika',
      title: 'Zmieniono nazwę użytkownika',
      lines: ['Nazwa użytkownika konta {email} to teraz {username}.'],
      closing: 'Jeśli to działanie innej osoby, należy natychmiast zmienić hasło i sprawdzić sesje w ustawieniach.',
    },
    tr: {
      subject: 'Kullanıcı adınız değiştirildi',
      title: 'Kullanıcı adınız değiştirildi',
      lines: ['{email} hesabının yeni kullanıcı adı: {username}.'],
      closing: 'Bu işlemi siz yapmadıysanız parolanızı hemen değiştirin ve ayarlarınızdan oturumları kontrol edin.',
    },
    uk: {
      subject: 'Ваше ім’я користувача змінено',
      title: 'Ваше ім’я користувача змінено',
      lines: ['Нове ім’я користувача для облікового запису {email}: {username}.'],
      closing: 'Якщо це зробили не ви, негайно змініть пароль і перевірте сеанси в налаштуваннях.',
    },
    ru: {
      subject: 'Ваше имя пользователя изменено',
      title: 'Ваше имя пользователя изменено',
      lines: ['Новое имя пользователя для аккаунта {email}: {username}.'],
      closing: 'Если это сделали не вы, немедленно смените пароль и проверьте сеансы в настройках.',
    },
  }),

  confirmIdentity: wording({
    en: {
      subject: 'Your confirmation code',
      title: 'Your confirmation code',
      lines: ['Enter this code to confirm that it is you: {code}', 'The code works once, until {until}.'],
      closing:
        'If you did not ask for this, somebody is using your account: sign out all sessions in your settings. Never share this code.',
    },
    de: {
      subject: 'Ihr Bestätigungscode',
      title: 'Ihr Bestätigungscode',
      lines: [
        'Geben Sie diesen Code ein, um zu bestätigen, dass Sie es sind: {code}',
        'Der Code funktioniert nur einmal. Gültig bis: {until}.',
      ],
      closing:
        'Wenn Sie diesen Code nicht angefordert haben, verwendet jemand anderes Ihr Konto: Beenden Sie alle Sitzungen in Ihren Einstellungen. Geben Sie diesen Code niemals weiter.',
    },
    es: {
      subject: 'Tu código de confirmación',
      title: 'Tu código de confirmación',
      lines: [
        'Introduce este código para confirmar que eres tú: {code}',
        'El código solo se puede usar una vez. Válido hasta: {until}.',
      ],
      closing:
        'Si no has solicitado este código, alguien está usando tu cuenta: cierra todas las sesiones en tu configuración. No compartas nunca este código.',
    },
    fr: {
      subject: 'Votre code de confirmation',
      title: 'Votre code de confirmation',
      lines: [
        'Saisissez ce code pour confirmer qu’il s’agit bien de vous : {code}',
        'Ce code ne fonctionne qu’une seule fois. Date d’expiration : {until}.',
      ],
      closing:
        'Si vous n’avez pas demandé ce code, quelqu’un utilise votre compte : fermez toutes les sessions dans vos paramètres. Ne communiquez jamais ce code.',
    },
    pl: {
      subject: 'Kod potwierdzający',
      title: 'Kod potwierdzający',
      lines: [
        'Aby potwierdzić tożsamość, należy wpisać ten kod: {code}',
        'Kodu można użyć tylko raz. Ważny do: {until}.',
      ],
      closing:
        'Jeśli to ktoś inny poprosił o ten kod, oznacza to, że używa tego konta: należy wylogować wszystkie sesje w ustawieniach. Kodu nie wolno nikomu udostępniać.',
    },
    tr: {
      subject: 'Onay kodunuz',
      title: 'Onay kodunuz',
      lines: [
        'Siz olduğunuzu onaylamak için bu kodu girin: {code}',
        'Kod yalnızca bir kez kullanılabilir. Son geçerlilik zamanı: {until}.',
      ],
      closing:
        'Bu kodu siz istemediyseniz hesabınızı başka biri kullanıyor: ayarlarınızdan tüm oturumları sonlandırın. Bu kodu asla kimseyle paylaşmayın.',
    },
    uk: {
      subject: 'Ваш код підтвердження',
      title: 'Ваш код підтвердження',
      lines: ['Введіть цей код, щоб підтвердити, що це ви: {code}', 'Код можна використати один раз, до {until}.'],
      closing:
        'Якщо ви не запитували код, хтось користується вашим обліковим записом: завершіть усі сеанси в налаштуваннях. Нікому не повідомляйте цей код.',
    },
    ru: {
      subject: 'Ваш код подтверждения',
      title: 'Ваш код подтверждения',
      lines: [
        'Введите этот код, чтобы подтвердить, что это вы: {code}',
        'Код можно использовать один раз, до {until}.',
      ],
      closing:
        'Если вы не запрашивали код, кто-то пользуется вашим аккаунтом: завершите все сеансы в настройках. Никому не сообщайте этот код.',
    },
  }),

  emailChangeRejected: wording({
    en: {
      subject: 'Your email address was changed back',
      title: 'Your email address was changed back',
      lines: [
        'The owner of {newEmail} told us that this address does not belong to your account. Your account uses {email} again.',
      ],
      closing: 'If you mistyped the new address, change it again in your settings.',
    },
    de: {
      subject: 'Ihre E-Mail-Adresse wurde zurückgesetzt',
      title: 'Ihre E-Mail-Adresse wurde zurückgesetzt',
      lines: [
        'Der Inhaber von {newEmail} hat uns mitgeteilt, dass diese Adresse nicht zu Ihrem Konto gehört. Ihr Konto verwendet wieder {email}.',
      ],
      closing: 'Wenn Sie sich bei der neuen Adresse vertippt haben, ändern Sie sie in Ihren Einstellungen erneut.',
    },
    es: {
      subject: 'Se ha restablecido tu correo electrónico anterior',
      title: 'Se ha restablecido tu correo electrónico anterior',
      lines: [
        'El titular de {newEmail} nos ha indicado que esta dirección no pertenece a tu cuenta. Tu cuenta vuelve a usar {email}.',
      ],
      closing: 'Si escribiste mal la nueva dirección, vuelve a cambiarla en tu configuración.',
    },
    fr: {
      subject: 'Votre ancienne adresse e-mail a été rétablie',
      title: 'Votre ancienne adresse e-mail a été rétablie',
      lines: [
        'Le titulaire de {newEmail} nous a indiqué que cette adresse n’appartient pas à votre compte. Votre compte utilise de nouveau {email}.',
      ],
      closing: 'Si vous avez mal saisi la nouvelle adresse, modifiez-la à nouveau dans vos paramètres.',
    },
    pl: {
      subject: 'Przywrócono poprzedni adres e-mail',
      title: 'Przywrócono poprzedni adres e-mail',
      lines: [
        'Właściciel adresu {newEmail} zgłosił, że ten adres nie należy do tego konta. Konto znów używa adresu {email}.',
      ],
      closing: 'Jeśli nowy adres zawierał literówkę, można go ponownie zmienić w ustawieniach.',
    },
    tr: {
      subject: 'E-posta adresiniz eski haline döndürüldü',
      title: 'E-posta adresiniz eski haline döndürüldü',
      lines: [
        '{newEmail} adresinin sahibi, bu adresin hesabınıza ait olmadığını bize bildirdi. Hesabınızda yeniden {email} adresi kullanılıyor.',
      ],
      closing: 'Yeni adresi yanlış yazdıysanız ayarlarınızdan yeniden değiştirin.',
    },
    uk: {
      subject: 'Вашу попередню адресу електронної пошти відновлено',
      title: 'Вашу попередню адресу електронної пошти відновлено',
      lines: [
        'Власник адреси {newEmail} повідомив нам, що вона не належить до вашого облікового запису. Для вашого облікового запису знову використовується адреса {email}.',
      ],
      closing: 'Якщо ви помилилися, коли вводили нову адресу, змініть її ще раз у налаштуваннях.',
    },
    ru: {
      subject: 'Ваш прежний адрес электронной почты восстановлен',
      title: 'Ваш прежний адрес электронной почты восстановлен',
      lines: [
        'Владелец адреса {newEmail} сообщил нам, что этот адрес не относится к вашему аккаунту. Для вашего аккаунта снова используется адрес {email}.',
      ],
      closing: 'Если вы ошиблись при вводе нового адреса, измените его ещё раз в настройках.',
    },
  }),

  administratorGranted: wording({
    en: {
      subject: 'You are now an administrator',
      title: 'You are now an administrator',
      lines: ['{email} now has administrator rights.'],
      closing: 'If you did not expect this, contact the people who operate this service.',
    },
    de: {
      subject: 'Sie haben jetzt Administratorrechte',
      title: 'Sie haben jetzt Administratorrechte',
      lines: ['{email} hat jetzt Administratorrechte.'],
      closing: 'Wenn Sie das nicht erwartet haben, wenden Sie sich an die Betreiber dieses Dienstes.',
    },
    es: {
      subject: 'Ahora tienes permisos de administrador',
      title: 'Ahora tienes permisos de administrador',
      lines: ['{email} ahora tiene permisos de administrador.'],
      closing: 'Si no lo esperabas, ponte en contacto con los responsables de este servicio.',
    },
    fr: {
      subject: 'Vous avez désormais les droits d’administrateur',
      title: 'Vous avez désormais les droits d’administrateur',
      lines: ['{email} a désormais les droits d’administrateur.'],
      closing: 'Si vous ne vous y attendiez pas, contactez les responsables de ce service.',
    },
    pl: {
      subject: 'Przyznano uprawnienia administratora',
      title: 'Przyznano uprawnienia administratora',
      lines: ['Konto {email} ma teraz uprawnienia administratora.'],
      closing: 'Jeśli ta zmiana jest nieoczekiwana, należy skontaktować się z operatorem tej usługi.',
    },
    tr: {
      subject: 'Artık yöneticisiniz',
      title: 'Artık yöneticisiniz',
      lines: ['{email} hesabı artık yönetici haklarına sahip.'],
      closing: 'Bunu beklemiyorduysanız bu hizmeti işleten kişilerle iletişime geçin.',
    },
    uk: {
      subject: 'Тепер ви адміністратор',
      title: 'Тепер ви адміністратор',
      lines: ['Обліковий запис {email} тепер має права адміністратора.'],
      closing: 'Якщо ви цього не очікували, зверніться до тих, хто підтримує роботу цього сервісу.',
    },
    ru: {
      subject: 'Теперь вы администратор',
      title: 'Теперь вы администратор',
      lines: ['У аккаунта {email} теперь есть права администратора.'],
      closing: 'Если вы этого не ожидали, свяжитесь с теми, кто обслуживает этот сервис.',
    },
  }),

  administratorAdded: wording({
    en: {
      subject: 'New administrator: {newAdministrator}',
      title: 'New administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) now has administrator rights.'],
      closing: 'If you did not expect this, revoke the role in the administration.',
    },
    de: {
      subject: 'Neuer Administrator: {newAdministrator}',
      title: 'Neuer Administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) hat jetzt Administratorrechte.'],
      closing: 'Wenn Sie das nicht erwartet haben, entziehen Sie die Rolle in der Verwaltung.',
    },
    es: {
      subject: 'Nuevo administrador: {newAdministrator}',
      title: 'Nuevo administrador: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) ahora tiene permisos de administrador.'],
      closing: 'Si no lo esperabas, revoca el rol en la administración.',
    },
    fr: {
      subject: 'Nouvel administrateur : {newAdministrator}',
      title: 'Nouvel administrateur : {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) a désormais les droits d’administrateur.'],
      closing: 'Si vous ne vous y attendiez pas, révoquez ce rôle dans l’administration.',
    },
    pl: {
      subject: 'Nowy administrator: {newAdministrator}',
      title: 'Nowy administrator: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) ma teraz uprawnienia administratora.'],
      closing: 'Jeśli ta zmiana jest nieoczekiwana, należy odebrać tę rolę w panelu administracyjnym.',
    },
    tr: {
      subject: 'Yeni yönetici: {newAdministrator}',
      title: 'Yeni yönetici: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) artık yönetici haklarına sahip.'],
      closing: 'Bunu beklemiyorduysanız yönetim bölümünden rolü kaldırın.',
    },
    uk: {
      subject: 'Новий адміністратор: {newAdministrator}',
      title: 'Новий адміністратор: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) тепер має права адміністратора.'],
      closing: 'Якщо ви цього не очікували, відкличте роль у розділі адміністрування.',
    },
    ru: {
      subject: 'Новый администратор: {newAdministrator}',
      title: 'Новый администратор: {newAdministrator}',
      lines: ['{newAdministrator} ({newAdministratorEmail}) теперь имеет права администратора.'],
      closing: 'Если вы этого не ожидали, отзовите роль в разделе администрирования.',
    },
  }),

  administratorRevoked: wording({
    en: {
      subject: 'You are no longer an administrator',
      title: 'You are no longer an administrator',
      lines: ['{email} no longer has administrator rights.'],
      closing: 'If you have questions, contact the people who operate this service.',
    },
    de: {
      subject: 'Sie haben keine Administratorrechte mehr',
      title: 'Sie haben keine Administratorrechte mehr',
      lines: ['{email} hat keine Administratorrechte mehr.'],
      closing: 'Wenn Sie Fragen haben, wenden Sie sich an die Betreiber dieses Dienstes.',
    },
    es: {
      subject: 'Ya no tienes permisos de administrador',
      title: 'Ya no tienes permisos de administrador',
      lines: ['{email} ya no tiene permisos de administrador.'],
      closing: 'Si tienes preguntas, ponte en contacto con los responsables de este servicio.',
    },
    fr: {
      subject: 'Vous n’avez plus les droits d’administrateur',
      title: 'Vous n’avez plus les droits d’administrateur',
      lines: ['{email} n’a plus les droits d’administrateur.'],
      closing: 'Si vous avez des questions, contactez les responsables de ce service.',
    },
    pl: {
      subject: 'Odebrano uprawnienia administratora',
      title: 'Odebrano uprawnienia administratora',
      lines: ['Konto {email} nie ma już uprawnień administratora.'],
      closing: 'W razie pytań należy skontaktować się z operatorem tej usługi.',
    },
    tr: {
      subject: 'Artık yönetici değilsiniz',
      title: 'Artık yönetici değilsiniz',
      lines: ['{email} hesabı artık yönetici haklarına sahip değil.'],
      closing: 'Sorularınız varsa bu hizmeti işleten kişilerle iletişime geçin.',
    },
    uk: {
      subject: 'Ви більше не адміністратор',
      title: 'Ви більше не адміністратор',
      lines: ['Обліковий запис {email} більше не має прав адміністратора.'],
      closing: 'Якщо у вас є запитання, зверніться до тих, хто підтримує роботу цього сервісу.',
    },
    ru: {
      subject: 'Вы больше не администратор',
      title: 'Вы больше не администратор',
      lines: ['У аккаунта {email} больше нет прав администратора.'],
      closing: 'Если у вас есть вопросы, свяжитесь с теми, кто обслуживает этот сервис.',
    },
  }),

  newDevice: wording({
    en: {
      subject: 'A new device is signed in',
      title: 'A new device is signed in',
      lines: ['Somebody has just signed in to {email} with a device that we have not seen before.'],
      closing:
        'It was you? Then all is well. If not, change your password at once and end the session in your settings.',
    },
    de: {
      subject: 'Ein neues Gerät ist angemeldet',
      title: 'Ein neues Gerät ist angemeldet',
      lines: ['Bei {email} hat sich soeben jemand mit einem Gerät angemeldet, das wir noch nicht kennen.'],
      closing:
        'Sie waren es? Dann ist alles gut. Wenn nicht, ändern Sie sofort Ihr Passwort und beenden Sie die Sitzung in Ihren Einstellungen.',
    },
    es: {
      subject: 'Un dispositivo nuevo ha iniciado sesión',
      title: 'Un dispositivo nuevo ha iniciado sesión',
      lines: ['Alguien acaba de iniciar sesión en {email} con un dispositivo que no habíamos visto antes.'],
      closing:
        '¿Fuiste tú? Entonces todo está bien. Si no, cambia tu contraseña enseguida y cierra la sesión en tus ajustes.',
    },
    fr: {
      subject: 'Un nouvel appareil est connecté',
      title: 'Un nouvel appareil est connecté',
      lines: ['Quelqu’un vient de se connecter à {email} avec un appareil que nous ne connaissions pas.'],
      closing:
        'C’était vous ? Alors tout va bien. Sinon, changez votre mot de passe tout de suite et mettez fin à la session dans vos réglages.',
    },
    pl: {
      subject: 'Zalogowano z nowego urządzenia',
      title: 'Zalogowano z nowego urządzenia',
      lines: ['Ktoś właśnie zalogował się na {email} z urządzenia, którego dotąd nie było.'],
      closing:
        'Jeśli to właściciel konta, wszystko w porządku. Jeśli nie, trzeba od razu zmienić hasło i zamknąć tę sesję w ustawieniach.',
    },
    tr: {
      subject: 'Yeni bir cihazdan oturum açıldı',
      title: 'Yeni bir cihazdan oturum açıldı',
      lines: ['Biri az önce {email} hesabında daha önce görmediğimiz bir cihazla oturum açtı.'],
      closing:
        'Siz miydiniz? O hâlde sorun yok. Değilseniz parolanızı hemen değiştirin ve ayarlarınızdan oturumu kapatın.',
    },
    uk: {
      subject: 'Вхід із нового пристрою',
      title: 'Вхід із нового пристрою',
      lines: ['Хтось щойно увійшов до {email} із пристрою, якого ми раніше не бачили.'],
      closing: 'Це були ви? Тоді все гаразд. Якщо ні, одразу змініть пароль і завершіть сеанс у налаштуваннях.',
    },
    ru: {
      subject: 'Вход с нового устройства',
      title: 'Вход с нового устройства',
      lines: ['Кто-то только что вошёл в {email} с устройства, которого мы раньше не видели.'],
      closing: 'Это были вы? Тогда всё в порядке. Если нет, сразу смените пароль и завершите сеанс в настройках.',
    },
  }),
} satisfies Record<string, Wording>
