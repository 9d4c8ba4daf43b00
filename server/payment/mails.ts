import { plainName } from '../foundation/letter.ts'
import type { Mail } from '../foundation/mail.ts'
import { mailOf, wording, type Addressee, type Cause } from '../foundation/wording.ts'

/** A notice about what is paid; `about` is the organization it is for, or the person. */
export function paymentMail(
  kind: keyof typeof paymentMails,
  addressee: Addressee,
  { values, ...cause }: Omit<Cause, 'values'> & { values: { about: string } },
): Mail {
  return mailOf(kind, addressee, { ...cause, values: { about: plainName(values.about) } })
}

/** The wording of this room's mails, by kind. */
export const paymentMails = {
  paymentFailed: wording({
    en: {
      subject: 'A payment did not go through',
      title: 'A payment did not go through',
      lines: [
        'The payment for {about} was not accepted. Check the card or choose another way to pay; it is tried again then.',
      ],
      action: 'See the billing',
      closing: 'Your access stays as it is for now.',
    },
    de: {
      subject: 'Eine Zahlung ist fehlgeschlagen',
      title: 'Eine Zahlung ist fehlgeschlagen',
      lines: [
        'Die Zahlung für {about} wurde nicht angenommen. Prüfen Sie die Karte oder wählen Sie eine andere Zahlungsart; dann wird es erneut versucht.',
      ],
      action: 'Zur Abrechnung',
      closing: 'Ihr Zugang bleibt vorerst bestehen.',
    },
    es: {
      subject: 'Un pago no se ha completado',
      title: 'Un pago no se ha completado',
      lines: [
        'El pago de {about} no fue aceptado. Revisa la tarjeta o elige otra forma de pago; entonces se intentará de nuevo.',
      ],
      action: 'Ver la facturación',
      closing: 'Tu acceso sigue como está por ahora.',
    },
    fr: {
      subject: 'Un paiement a échoué',
      title: 'Un paiement a échoué',
      lines: [
        'Le paiement pour {about} n’a pas été accepté. Vérifiez la carte ou choisissez un autre moyen ; une nouvelle tentative suivra.',
      ],
      action: 'Voir la facturation',
      closing: 'Votre accès reste inchangé pour l’instant.',
    },
    pl: {
      subject: 'Płatność się nie powiodła',
      title: 'Płatność się nie powiodła',
      lines: [
        'Płatność za {about} nie została przyjęta. Warto sprawdzić kartę lub wybrać inny sposób; wtedy nastąpi kolejna próba.',
      ],
      action: 'Zobacz rozliczenia',
      closing: 'Dostęp na razie pozostaje bez zmian.',
    },
    tr: {
      subject: 'Bir ödeme gerçekleşmedi',
      title: 'Bir ödeme gerçekleşmedi',
      lines: [
        '{about} için ödeme kabul edilmedi. Kartı denetleyin ya da başka bir ödeme yolu seçin; sonra yeniden denenir.',
      ],
      action: 'Faturalandırmayı gör',
      closing: 'Erişiminiz şimdilik olduğu gibi kalır.',
    },
    uk: {
      subject: 'Платіж не пройшов',
      title: 'Платіж не пройшов',
      lines: ['Платіж за {about} не прийнято. Перевірте картку або виберіть інший спосіб; тоді буде ще одна спроба.'],
      action: 'Переглянути розрахунки',
      closing: 'Ваш доступ поки що не змінився.',
    },
    ru: {
      subject: 'Платёж не прошёл',
      title: 'Платёж не прошёл',
      lines: ['Платёж за {about} не принят. Проверьте карту или выберите другой способ; затем будет ещё одна попытка.'],
      action: 'Посмотреть расчёты',
      closing: 'Ваш доступ пока не изменился.',
    },
  }),

  subscriptionOnHold: wording({
    en: {
      subject: 'A subscription is on hold',
      title: 'A subscription is on hold',
      lines: [
        'The subscription for {about} is on hold, because its payment is missing. Renew the way to pay, and it goes on.',
      ],
      action: 'See the billing',
      closing: 'Without a payment the rights of the subscription end.',
    },
    de: {
      subject: 'Ein Abonnement ist angehalten',
      title: 'Ein Abonnement ist angehalten',
      lines: [
        'Das Abonnement für {about} ist angehalten, weil die Zahlung fehlt. Erneuern Sie die Zahlungsart, und es geht weiter.',
      ],
      action: 'Zur Abrechnung',
      closing: 'Ohne Zahlung enden die Rechte des Abonnements.',
    },
    es: {
      subject: 'Una suscripción está en espera',
      title: 'Una suscripción está en espera',
      lines: ['La suscripción de {about} está en espera porque falta el pago. Renueva la forma de pago y continuará.'],
      action: 'Ver la facturación',
      closing: 'Sin pago, los derechos de la suscripción terminan.',
    },
    fr: {
      subject: 'Un abonnement est suspendu',
      title: 'Un abonnement est suspendu',
      lines: [
        'L’abonnement de {about} est suspendu car le paiement manque. Renouvelez le moyen de paiement et il reprendra.',
      ],
      action: 'Voir la facturation',
      closing: 'Sans paiement, les droits de l’abonnement prennent fin.',
    },
    pl: {
      subject: 'Subskrypcja jest wstrzymana',
      title: 'Subskrypcja jest wstrzymana',
      lines: [
        'Subskrypcja dla {about} jest wstrzymana z powodu braku płatności. Po odnowieniu sposobu płatności będzie działać dalej.',
      ],
      action: 'Zobacz rozliczenia',
      closing: 'Bez płatności prawa z subskrypcji wygasają.',
    },
    tr: {
      subject: 'Bir abonelik beklemede',
      title: 'Bir abonelik beklemede',
      lines: ['{about} aboneliği, ödemesi eksik olduğu için beklemede. Ödeme yolunu yenileyin, devam eder.'],
      action: 'Faturalandırmayı gör',
      closing: 'Ödeme olmazsa aboneliğin hakları sona erer.',
    },
    uk: {
      subject: 'Підписку призупинено',
      title: 'Підписку призупинено',
      lines: ['Підписку для {about} призупинено, бо бракує платежу. Оновіть спосіб оплати, і вона продовжиться.'],
      action: 'Переглянути розрахунки',
      closing: 'Без платежу права за підпискою припиняються.',
    },
    ru: {
      subject: 'Подписка приостановлена',
      title: 'Подписка приостановлена',
      lines: [
        'Подписка для {about} приостановлена, потому что нет платежа. Обновите способ оплаты, и она продолжится.',
      ],
      action: 'Посмотреть расчёты',
      closing: 'Без платежа права по подписке прекращаются.',
    },
  }),

  subscriptionEnded: wording({
    en: {
      subject: 'A subscription has ended',
      title: 'A subscription has ended',
      lines: ['The subscription for {about} has ended. You can take it up again whenever you like.'],
      action: 'See the billing',
      closing: 'What you paid for stays in your list of payments.',
    },
    de: {
      subject: 'Ein Abonnement ist beendet',
      title: 'Ein Abonnement ist beendet',
      lines: ['Das Abonnement für {about} ist beendet. Sie können es jederzeit wieder aufnehmen.'],
      action: 'Zur Abrechnung',
      closing: 'Ihre Zahlungen bleiben in der Liste.',
    },
    es: {
      subject: 'Una suscripción ha terminado',
      title: 'Una suscripción ha terminado',
      lines: ['La suscripción de {about} ha terminado. Puedes retomarla cuando quieras.'],
      action: 'Ver la facturación',
      closing: 'Tus pagos siguen en la lista.',
    },
    fr: {
      subject: 'Un abonnement a pris fin',
      title: 'Un abonnement a pris fin',
      lines: ['L’abonnement de {about} a pris fin. Vous pouvez le reprendre quand vous voulez.'],
      action: 'Voir la facturation',
      closing: 'Vos paiements restent dans la liste.',
    },
    pl: {
      subject: 'Subskrypcja się zakończyła',
      title: 'Subskrypcja się zakończyła',
      lines: ['Subskrypcja dla {about} dobiegła końca. Można ją wznowić w każdej chwili.'],
      action: 'Zobacz rozliczenia',
      closing: 'Płatności pozostają na liście.',
    },
    tr: {
      subject: 'Bir abonelik sona erdi',
      title: 'Bir abonelik sona erdi',
      lines: ['{about} aboneliği sona erdi. İstediğiniz zaman yeniden başlatabilirsiniz.'],
      action: 'Faturalandırmayı gör',
      closing: 'Ödemeleriniz listede kalır.',
    },
    uk: {
      subject: 'Підписка завершилася',
      title: 'Підписка завершилася',
      lines: ['Підписка для {about} завершилася. Її можна поновити будь-коли.'],
      action: 'Переглянути розрахунки',
      closing: 'Ваші платежі залишаються у списку.',
    },
    ru: {
      subject: 'Подписка завершилась',
      title: 'Подписка завершилась',
      lines: ['Подписка для {about} завершилась. Её можно возобновить в любое время.'],
      action: 'Посмотреть расчёты',
      closing: 'Ваши платежи остаются в списке.',
    },
  }),
}
