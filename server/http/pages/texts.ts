import type { LanguageCode } from '../../../shared/language.ts'

type PageTexts = {
  signInFailed: { title: string; text: string }
  invalidRequest: { title: string; text: string; back: string }
  notAllowed: string
}

/** The texts of the few pages that the server renders itself, in the language of the browser. */
export const pageTexts: Readonly<Record<LanguageCode, PageTexts>> = {
  en: {
    signInFailed: { title: 'Something went wrong', text: 'The sign-in could not be finished. The reason is:' },
    invalidRequest: {
      title: 'This request is not valid',
      text: 'The app that sent you here made a request that cannot be answered. The reason is:',
      back: 'Go to {{product}}',
    },
    notAllowed: 'You are signed in, but you don’t have access to this page.',
  },
  de: {
    signInFailed: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Die Anmeldung konnte nicht abgeschlossen werden. Der Grund:',
    },
    invalidRequest: {
      title: 'Diese Anfrage ist ungültig',
      text: 'Die App, von der Sie kommen, hat eine Anfrage gestellt, die nicht beantwortet werden kann. Der Grund:',
      back: 'Zu {{product}}',
    },
    notAllowed: 'Sie sind angemeldet, haben aber keinen Zugriff auf diese Seite.',
  },
  es: {
    signInFailed: { title: 'Algo ha salido mal', text: 'No se ha podido completar el inicio de sesión. El motivo:' },
    invalidRequest: {
      title: 'Esta solicitud no es válida',
      text: 'La aplicación desde la que llegas ha hecho una solicitud que no se puede responder. El motivo:',
      back: 'Ir a {{product}}',
    },
    notAllowed: 'Has iniciado sesión, pero no tienes acceso a esta página.',
  },
  fr: {
    signInFailed: { title: 'Une erreur s’est produite', text: 'La connexion n’a pas pu aboutir. Motif :' },
    invalidRequest: {
      title: 'Cette requête n’est pas valide',
      text: 'L’application d’où vous venez a envoyé une requête à laquelle il est impossible de répondre. Motif :',
      back: 'Aller sur {{product}}',
    },
    notAllowed: 'Vous êtes connecté, mais vous n’avez pas accès à cette page.',
  },
  pl: {
    signInFailed: { title: 'Coś poszło nie tak', text: 'Nie udało się dokończyć logowania. Powód:' },
    invalidRequest: {
      title: 'To żądanie jest nieprawidłowe',
      text: 'Aplikacja, z której tu trafiasz, wysłała żądanie, na które nie można odpowiedzieć. Powód:',
      back: 'Przejdź do {{product}}',
    },
    notAllowed: 'Zalogowano, ale nie masz dostępu do tej strony.',
  },
  ru: {
    signInFailed: { title: 'Что-то пошло не так', text: 'Не удалось завершить вход. Причина:' },
    invalidRequest: {
      title: 'Недопустимый запрос',
      text: 'Приложение, из которого вы пришли, отправило запрос, на который нельзя ответить. Причина:',
      back: 'Перейти в {{product}}',
    },
    notAllowed: 'Вы вошли, но у вас нет доступа к этой странице.',
  },
  tr: {
    signInFailed: { title: 'Bir şeyler ters gitti', text: 'Giriş tamamlanamadı. Nedeni:' },
    invalidRequest: {
      title: 'Bu istek geçerli değil',
      text: 'Sizi buraya gönderen uygulama, yanıtlanamayan bir istekte bulundu. Nedeni:',
      back: '{{product}} sayfasına git',
    },
    notAllowed: 'Giriş yaptınız ancak bu sayfaya erişiminiz yok.',
  },
  uk: {
    signInFailed: { title: 'Щось пішло не так', text: 'Не вдалося завершити вхід. Причина:' },
    invalidRequest: {
      title: 'Неприпустимий запит',
      text: 'Застосунок, з якого ви прийшли, надіслав запит, на який неможливо відповісти. Причина:',
      back: 'Перейти до {{product}}',
    },
    notAllowed: 'Ви увійшли, але не маєте доступу до цієї сторінки.',
  },
}
