import { plainName } from '../foundation/letter.ts'
import type { Mail } from '../foundation/mail.ts'
import { mailOf, wording, type Addressee, type Cause } from '../foundation/wording.ts'
import { rolesInWords } from '../organization/mails.ts'

type Values = { organization: string; role: string; actor: string; address?: string }

/** An invitation to whoever has the address, and its acceptance to whoever sent it. */
export function invitationMail(
  kind: keyof typeof invitationMails,
  addressee: Addressee,
  { values, ...cause }: Omit<Cause, 'values'> & { values: Values },
): Mail {
  const names = { ...values, organization: plainName(values.organization), actor: plainName(values.actor) }
  return mailOf(kind, addressee, { ...cause, values: names })
}

/** The wording of this room's mails, by kind. */
export const invitationMails = {
  invitation: wording(
    {
      en: {
        subject: '{actor} invites you to {organization}',
        title: '{actor} invites you to {organization}',
        lines: ['You would join as: {role}. The invitation holds until {until}.'],
        action: 'See the invitation',
        closing: 'You do not know {actor}? Then leave this mail alone: without you nothing happens.',
      },
      de: {
        subject: '{actor} lädt Sie zu {organization} ein',
        title: '{actor} lädt Sie zu {organization} ein',
        lines: ['Ihre Rolle dort: {role}. Die Einladung gilt bis {until}.'],
        action: 'Einladung ansehen',
        closing: 'Sie kennen {actor} nicht? Dann ignorieren Sie diese Nachricht: Ohne Ihr Zutun geschieht nichts.',
      },
      es: {
        subject: '{actor} te invita a {organization}',
        title: '{actor} te invita a {organization}',
        lines: ['Tu papel allí: {role}. La invitación vale hasta el {until}.'],
        action: 'Ver la invitación',
        closing: '¿No conoces a {actor}? Ignora este mensaje: sin ti no pasa nada.',
      },
      fr: {
        subject: '{actor} vous invite à rejoindre {organization}',
        title: '{actor} vous invite à rejoindre {organization}',
        lines: ['Votre rôle : {role}. L’invitation est valable jusqu’au {until}.'],
        action: 'Voir l’invitation',
        closing: 'Vous ne connaissez pas {actor} ? Ignorez ce message : sans vous, rien ne se passe.',
      },
      pl: {
        subject: 'Zaproszenie do {organization} od: {actor}',
        title: 'Zaproszenie do {organization}',
        lines: ['Zaprasza: {actor}. Rola: {role}. Zaproszenie jest ważne do: {until}.'],
        action: 'Zobacz zaproszenie',
        closing: 'Nieznana osoba? Wystarczy zignorować tę wiadomość: samo z siebie nic się nie stanie.',
      },
      tr: {
        subject: '{actor} sizi {organization} kuruluşuna davet ediyor',
        title: '{actor} sizi {organization} kuruluşuna davet ediyor',
        lines: ['Rolünüz: {role}. Davet {until} anına kadar geçerlidir.'],
        action: 'Daveti gör',
        closing:
          '{actor} adlı kişiyi tanımıyor musunuz? Bu iletiyi yok sayın: siz bir şey yapmadıkça hiçbir şey olmaz.',
      },
      uk: {
        subject: '{actor} запрошує вас до {organization}',
        title: '{actor} запрошує вас до {organization}',
        lines: ['Ваша роль: {role}. Запрошення діє до {until}.'],
        action: 'Переглянути запрошення',
        closing: 'Не знаєте, хто це? Не зважайте на цей лист: без вас нічого не станеться.',
      },
      ru: {
        subject: '{actor} приглашает вас в {organization}',
        title: '{actor} приглашает вас в {organization}',
        lines: ['Ваша роль: {role}. Приглашение действует до {until}.'],
        action: 'Посмотреть приглашение',
        closing: 'Не знаете, кто это? Не обращайте внимания на это письмо: без вас ничего не произойдёт.',
      },
    },
    rolesInWords,
  ),

  invitationAccepted: wording(
    {
      en: {
        subject: '{actor} has joined {organization}',
        title: '{actor} has joined {organization}',
        lines: ['Your invitation to {address} was accepted. Role: {role}.'],
        action: 'See the members',
        closing: 'You get this mail because you sent the invitation.',
      },
      de: {
        subject: '{actor} ist jetzt bei {organization}',
        title: '{actor} ist jetzt bei {organization}',
        lines: ['Ihre Einladung an {address} wurde angenommen. Rolle: {role}.'],
        action: 'Mitglieder ansehen',
        closing: 'Sie erhalten diese Nachricht, weil Sie die Einladung verschickt haben.',
      },
      es: {
        subject: '{actor} se ha unido a {organization}',
        title: '{actor} se ha unido a {organization}',
        lines: ['Tu invitación a {address} ha sido aceptada. Papel: {role}.'],
        action: 'Ver los miembros',
        closing: 'Recibes este mensaje porque enviaste la invitación.',
      },
      fr: {
        subject: '{actor} a rejoint {organization}',
        title: '{actor} a rejoint {organization}',
        lines: ['Votre invitation à {address} a été acceptée. Rôle : {role}.'],
        action: 'Voir les membres',
        closing: 'Vous recevez ce message parce que vous avez envoyé l’invitation.',
      },
      pl: {
        subject: 'Nowa osoba w {organization}: {actor}',
        title: 'Nowa osoba w {organization}: {actor}',
        lines: ['Zaproszenie wysłane na {address} zostało przyjęte. Rola: {role}.'],
        action: 'Zobacz członków',
        closing: 'Ta wiadomość trafia do osoby, która wysłała zaproszenie.',
      },
      tr: {
        subject: '{actor} artık {organization} üyesi',
        title: '{actor} artık {organization} üyesi',
        lines: ['{address} adresine gönderdiğiniz davet kabul edildi. Rol: {role}.'],
        action: 'Üyeleri gör',
        closing: 'Bu iletiyi daveti siz gönderdiğiniz için alıyorsunuz.',
      },
      uk: {
        subject: '{actor} тепер у {organization}',
        title: '{actor} тепер у {organization}',
        lines: ['Ваше запрошення на {address} прийнято. Роль: {role}.'],
        action: 'Переглянути учасників',
        closing: 'Ви отримали цей лист, бо надіслали запрошення.',
      },
      ru: {
        subject: '{actor} теперь в {organization}',
        title: '{actor} теперь в {organization}',
        lines: ['Ваше приглашение на {address} принято. Роль: {role}.'],
        action: 'Посмотреть участников',
        closing: 'Вы получили это письмо, потому что отправили приглашение.',
      },
    },
    rolesInWords,
  ),
}
