import { plainName } from '../foundation/letter.ts'
import type { Mail, Wording } from '../foundation/mail.ts'
import { wording } from '../foundation/wording.ts'
import { languageById } from '../../shared/language.ts'

/** To whom a mail of this room goes, and what caused it. */
export type Addressee = { email: string; name: string; language: number }
export type Cause = { now: Date; userAgent: string }

/** A mail about an account. `isLimited`: anybody who knows the address can cause it. */
export function accountMail(
  kind: keyof typeof accountMails,
  { email, name, language }: Addressee,
  cause: Cause & { link?: string; expiresAt?: Date; isLimited?: boolean },
): Mail {
  return {
    kind,
    to: email,
    language: languageById(language).id,
    data: {
      name: plainName(name),
      email,
      at: cause.now.toISOString(),
      userAgent: cause.userAgent,
      ...(cause.expiresAt && { until: cause.expiresAt.toISOString() }),
    },
    links: cause.link === undefined ? {} : { link: cause.link },
    isLimited: cause.isLimited ?? false,
  }
}

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
} satisfies Record<string, Wording>
