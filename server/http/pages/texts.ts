import type { LanguageCode } from '../../../shared/language.ts'

type PageTexts = {
  signInFailed: { title: string; text: string }
  invalidRequest: { title: string; text: string; back: string }
  notAllowed: string
}

/** The texts of the few pages that the server renders itself, in the language of the browser. */
export const pageTexts: Readonly<Record<LanguageCode, PageTexts>> = {
  en: {
    signInFailed: { title: 'Something went wrong', text: 'Sign-in couldn’t be completed. Reason:' },
    invalidRequest: {
      title: 'This request isn’t valid',
      text: 'The app that sent you here made a request that couldn’t be processed. Reason:',
      back: 'Go to {{product}}',
    },
    notAllowed: 'You’re signed in, but you don’t have access to this page.',
  },
  de: {
    signInFailed: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Die Anmeldung konnte nicht abgeschlossen werden. Der Grund:',
    },
    invalidRequest: {
      title: 'Diese Anfrage ist ungültig',
      text: 'Die App, von der Sie kommen, hat eine Anfrage gesendet, die nicht verarbeitet werden kann. Der Grund:',
      back: 'Zu {{product}}',
    },
    notAllowed: 'Sie sind angemeldet, haben aber keinen Zugriff auf diese Seite.',
  },
  es: {
    signInFailed: { title: 'Algo ha salido mal', text: 'No se ha podido completar el inicio de sesión. Motivo:' },
    invalidRequest: {
      title: 'Esta solicitud no es válida',
      text: 'La aplicación que te ha traído aquí ha enviado una solicitud que no se puede procesar. Motivo:',
      back: 'Ir a {{product}}',
    },
    notAllowed: 'Has iniciado sesión, pero no tienes acceso a esta página.',
  },
  fr: {
    signInFailed: { title: 'Une erreur s’est produite', text: 'La connexion n’a pas pu aboutir. Motif :' },
    invalidRequest: {
      title: 'Cette requête n’est pas valide',
      text: 'L’application d’origine a envoyé une requête qui ne peut pas être traitée. Motif :',
      back: 'Accéder à {{product}}',
    },
    notAllowed: 'Votre session est ouverte, mais vous n’avez pas accès à cette page.',
  },
  pl: {
    signInFailed: { title: 'Coś poszło nie tak', text: 'Nie udało się dokończyć logowania. Powód:' },
    invalidRequest: {
      title: 'To żądanie jest nieprawidłowe',
      text: 'Aplikacja, z której nastąpiło przekierowanie, wysłała żądanie, którego nie można przetworzyć. Powód:',
      back: 'Przejdź do {{product}}',
    },
    notAllowed: 'Zalogowano, ale nie masz dostępu do tej strony.',
  },
  ru: {
    signInFailed: { title: 'Что-то пошло не так', text: 'Не удалось завершить вход. Причина:' },
    invalidRequest: {
      title: 'Недопустимый запрос',
      text: 'Приложение, из которого вы перешли, отправило запрос, который невозможно обработать. Причина:',
      back: 'Перейти в {{product}}',
    },
    notAllowed: 'Вы вошли, но у вас нет доступа к этой странице.',
  },
  tr: {
    signInFailed: { title: 'Bir şeyler ters gitti', text: 'Oturum açma tamamlanamadı. Nedeni:' },
    invalidRequest: {
      title: 'Bu istek geçerli değil',
      text: 'Sizi buraya gönderen uygulama, işlenemeyen bir istek gönderdi. Nedeni:',
      back: '{{product}} uygulamasına git',
    },
    notAllowed: 'Oturum açtınız ancak bu sayfaya erişiminiz yok.',
  },
  uk: {
    signInFailed: { title: 'Щось пішло не так', text: 'Не вдалося завершити вхід. Причина:' },
    invalidRequest: {
      title: 'Неприпустимий запит',
      text: 'Застосунок, з якого ви перейшли, надіслав запит, який неможливо обробити. Причина:',
      back: 'Перейти до {{product}}',
    },
    notAllowed: 'Ви ввійшли, але у вас немає доступу до цієї сторінки.',
  },
}
