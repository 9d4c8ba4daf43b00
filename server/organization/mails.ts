import { sayRoles } from '../../shared/permissions.ts'
import type { Language } from '../../shared/language.ts'
import { plainName } from '../foundation/letter.ts'
import type { Mail } from '../foundation/mail.ts'
import { mailOf, wording, type Addressee, type Cause } from '../foundation/wording.ts'

type Values = { organization: string; role: string; actor: string }

/** A notice to a member about what somebody else decided. */
export function organizationMail(
  kind: keyof typeof organizationMails,
  addressee: Addressee,
  { values, ...cause }: Omit<Cause, 'values'> & { values: Values },
): Mail {
  const { organization, actor, role } = values
  const names = { organization: plainName(organization), actor: plainName(actor), role }
  return mailOf(kind, addressee, { ...cause, values: names })
}

/** Roles are stored as the table of permissions names them. */
export function rolesInWords(values: Record<string, string>, { code }: Language) {
  return { ...values, role: sayRoles(values['role'] ?? '', code) }
}

/** The wording of this room's mails, by kind. */
export const organizationMails = {
  roleChanged: wording(
    {
      en: {
        subject: 'Your role in {organization} has changed',
        title: 'Your role in {organization} has changed',
        lines: ['{actor} changed it. Your role is now: {role}.'],
        action: 'Open {organization}',
        closing: 'Questions? The owners of {organization} can answer them.',
      },
      de: {
        subject: 'Ihre Rolle bei {organization} hat sich geändert',
        title: 'Ihre Rolle bei {organization} hat sich geändert',
        lines: ['{actor} hat sie geändert. Ihre Rolle ist jetzt: {role}.'],
        action: '{organization} öffnen',
        closing: 'Fragen dazu beantworten die Inhaber von {organization}.',
      },
      es: {
        subject: 'Tu papel en {organization} ha cambiado',
        title: 'Tu papel en {organization} ha cambiado',
        lines: ['Lo ha cambiado {actor}. Tu papel es ahora: {role}.'],
        action: 'Abrir {organization}',
        closing: '¿Preguntas? Los propietarios de {organization} pueden responderlas.',
      },
      fr: {
        subject: 'Votre rôle dans {organization} a changé',
        title: 'Votre rôle dans {organization} a changé',
        lines: ['Modifié par {actor}. Votre rôle est maintenant : {role}.'],
        action: 'Ouvrir {organization}',
        closing: 'Des questions ? Les propriétaires de {organization} peuvent y répondre.',
      },
      pl: {
        subject: 'Zmiana roli w {organization}',
        title: 'Zmiana roli w {organization}',
        lines: ['Zmiany dokonuje: {actor}. Obecna rola: {role}.'],
        action: 'Otwórz {organization}',
        closing: 'Na pytania odpowiedzą właściciele {organization}.',
      },
      tr: {
        subject: '{organization} içindeki rolünüz değişti',
        title: '{organization} içindeki rolünüz değişti',
        lines: ['Değişikliği yapan: {actor}. Yeni rolünüz: {role}.'],
        action: '{organization} kuruluşunu aç',
        closing: 'Sorularınızı {organization} sahipleri yanıtlayabilir.',
      },
      uk: {
        subject: 'Ваша роль у {organization} змінилася',
        title: 'Ваша роль у {organization} змінилася',
        lines: ['Хто змінив: {actor}. Тепер ваша роль: {role}.'],
        action: 'Відкрити {organization}',
        closing: 'На запитання можуть відповісти власники {organization}.',
      },
      ru: {
        subject: 'Ваша роль в {organization} изменилась',
        title: 'Ваша роль в {organization} изменилась',
        lines: ['Кто изменил: {actor}. Теперь ваша роль: {role}.'],
        action: 'Открыть {organization}',
        closing: 'На вопросы могут ответить владельцы {organization}.',
      },
    },
    rolesInWords,
  ),

  memberRemoved: wording(
    {
      en: {
        subject: 'You are no longer a member of {organization}',
        title: 'You are no longer a member of {organization}',
        lines: ['{actor} ended your membership. Your account stays as it is.'],
        closing: 'If this is a mistake, ask {actor} for a new invitation.',
      },
      de: {
        subject: 'Sie sind nicht mehr Mitglied von {organization}',
        title: 'Sie sind nicht mehr Mitglied von {organization}',
        lines: ['{actor} hat Ihre Mitgliedschaft beendet. Ihr Konto bleibt, wie es ist.'],
        closing: 'Wenn das ein Versehen ist, bitten Sie {actor} um eine neue Einladung.',
      },
      es: {
        subject: 'Ya no eres miembro de {organization}',
        title: 'Ya no eres miembro de {organization}',
        lines: ['{actor} ha terminado tu membresía. Tu cuenta sigue como está.'],
        closing: 'Si es un error, pide a {actor} una invitación nueva.',
      },
      fr: {
        subject: 'Vous n’êtes plus membre de {organization}',
        title: 'Vous n’êtes plus membre de {organization}',
        lines: ['{actor} a mis fin à votre adhésion. Votre compte reste inchangé.'],
        closing: 'Si c’est une erreur, demandez une nouvelle invitation à {actor}.',
      },
      pl: {
        subject: 'Koniec członkostwa w {organization}',
        title: 'Koniec członkostwa w {organization}',
        lines: ['Decyzję podjęła osoba: {actor}. Konto pozostaje bez zmian.'],
        closing: 'Jeśli to pomyłka, można poprosić o nowe zaproszenie.',
      },
      tr: {
        subject: 'Artık {organization} üyesi değilsiniz',
        title: 'Artık {organization} üyesi değilsiniz',
        lines: ['Üyeliğinizi sona erdiren: {actor}. Hesabınız olduğu gibi duruyor.'],
        closing: 'Bu bir yanlışlıksa {actor} adlı kişiden yeni bir davet isteyin.',
      },
      uk: {
        subject: 'Ви більше не учасник {organization}',
        title: 'Ви більше не учасник {organization}',
        lines: ['Участь завершено. Хто це зробив: {actor}. Ваш обліковий запис не змінився.'],
        closing: 'Якщо це помилка, попросіть нове запрошення.',
      },
      ru: {
        subject: 'Вы больше не участник {organization}',
        title: 'Вы больше не участник {organization}',
        lines: ['Участие завершено. Кто это сделал: {actor}. Ваша учётная запись не изменилась.'],
        closing: 'Если это ошибка, попросите новое приглашение.',
      },
    },
    rolesInWords,
  ),

  ownershipReceived: wording(
    {
      en: {
        subject: 'You are now an owner of {organization}',
        title: 'You are now an owner of {organization}',
        lines: ['{actor} made you an owner. You may change everything there, delete it, and give the ownership on.'],
        action: 'Open {organization}',
        closing: 'If you do not want this, you can give the ownership to another member.',
      },
      de: {
        subject: 'Sie sind jetzt Inhaber von {organization}',
        title: 'Sie sind jetzt Inhaber von {organization}',
        lines: [
          '{actor} hat Sie dazu gemacht. Sie dürfen dort alles ändern, die Organisation löschen und die Inhaberschaft weitergeben.',
        ],
        action: '{organization} öffnen',
        closing: 'Wenn Sie das nicht möchten, können Sie die Inhaberschaft einem anderen Mitglied übertragen.',
      },
      es: {
        subject: 'Ahora eres propietario de {organization}',
        title: 'Ahora eres propietario de {organization}',
        lines: ['Te ha nombrado {actor}. Allí puedes cambiarlo todo, eliminarla y ceder la propiedad.'],
        action: 'Abrir {organization}',
        closing: 'Si no lo quieres, puedes ceder la propiedad a otro miembro.',
      },
      fr: {
        subject: 'Vous êtes maintenant propriétaire de {organization}',
        title: 'Vous êtes maintenant propriétaire de {organization}',
        lines: ['{actor} vous a donné ce rôle. Vous pouvez tout y modifier, la supprimer et transmettre la propriété.'],
        action: 'Ouvrir {organization}',
        closing: 'Si vous ne le souhaitez pas, vous pouvez transmettre la propriété à un autre membre.',
      },
      pl: {
        subject: 'Rola właściciela w {organization}',
        title: 'Rola właściciela w {organization}',
        lines: ['Nadaje ją: {actor}. Właściciel może wszystko zmienić, usunąć organizację i przekazać własność dalej.'],
        action: 'Otwórz {organization}',
        closing: 'Własność można przekazać innej osobie w organizacji.',
      },
      tr: {
        subject: 'Artık {organization} sahibisiniz',
        title: 'Artık {organization} sahibisiniz',
        lines: [
          'Bu rolü veren: {actor}. Orada her şeyi değiştirebilir, kuruluşu silebilir ve sahipliği devredebilirsiniz.',
        ],
        action: '{organization} kuruluşunu aç',
        closing: 'Bunu istemiyorsanız sahipliği başka bir üyeye devredebilirsiniz.',
      },
      uk: {
        subject: 'Тепер ви власник {organization}',
        title: 'Тепер ви власник {organization}',
        lines: ['Хто надав роль: {actor}. Ви можете все змінювати, видалити організацію та передати її далі.'],
        action: 'Відкрити {organization}',
        closing: 'Якщо ви цього не хочете, передайте організацію іншому учаснику.',
      },
      ru: {
        subject: 'Теперь вы владелец {organization}',
        title: 'Теперь вы владелец {organization}',
        lines: ['Кто назначил: {actor}. Вы можете всё менять, удалить организацию и передать её дальше.'],
        action: 'Открыть {organization}',
        closing: 'Если вы этого не хотите, передайте организацию другому участнику.',
      },
    },
    rolesInWords,
  ),
}
