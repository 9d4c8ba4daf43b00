import type { Mail, Wording } from '../foundation/mail.ts'
import { mailOf, wording, type Addressee, type Cause } from '../foundation/wording.ts'

/** A mail about an account. */
export function accountMail(
  kind: keyof typeof accountMails,
  addressee: Addressee,
  { newEmail, ...cause }: AccountCause,
): Mail {
  return mailOf(kind, addressee, { ...cause, ...(newEmail !== undefined && { values: { newEmail } }) })
}

type AccountCause = Omit<Cause, 'values'> & { newEmail?: string }

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
