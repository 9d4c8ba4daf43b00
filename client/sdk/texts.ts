/** The components' own texts, by language. */
const texts = {
  en: {
    account: 'Account menu',
    manage: 'Manage account',
    signOut: 'Sign out',
    organization: 'Organization',
    personal: 'Personal account',
    failed: 'That did not work. Try again.',
  },
  de: {
    account: 'Kontomenü',
    manage: 'Konto verwalten',
    signOut: 'Abmelden',
    organization: 'Organisation',
    personal: 'Persönliches Konto',
    failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  },
  es: {
    account: 'Menú de la cuenta',
    manage: 'Gestionar la cuenta',
    signOut: 'Cerrar sesión',
    organization: 'Organización',
    personal: 'Cuenta personal',
    failed: 'No ha funcionado. Inténtalo de nuevo.',
  },
  fr: {
    account: 'Menu du compte',
    manage: 'Gérer le compte',
    signOut: 'Se déconnecter',
    organization: 'Organisation',
    personal: 'Compte personnel',
    failed: 'L’opération a échoué. Réessayez.',
  },
  pl: {
    account: 'Menu konta',
    manage: 'Zarządzaj kontem',
    signOut: 'Wyloguj się',
    organization: 'Organizacja',
    personal: 'Konto osobiste',
    failed: 'Nie udało się. Spróbuj ponownie.',
  },
  ru: {
    account: 'Меню аккаунта',
    manage: 'Управление аккаунтом',
    signOut: 'Выйти',
    organization: 'Организация',
    personal: 'Личный аккаунт',
    failed: 'Не получилось. Попробуйте ещё раз.',
  },
  tr: {
    account: 'Hesap menüsü',
    manage: 'Hesabı yönet',
    signOut: 'Çıkış yap',
    organization: 'Kuruluş',
    personal: 'Kişisel hesap',
    failed: 'Olmadı. Tekrar deneyin.',
  },
  uk: {
    account: 'Меню акаунта',
    manage: 'Керування акаунтом',
    signOut: 'Вийти',
    organization: 'Організація',
    personal: 'Особистий акаунт',
    failed: 'Не вдалося. Спробуйте ще раз.',
  },
} as const

export type Language = keyof typeof texts
export type Texts = { readonly [key in keyof (typeof texts)['en']]: string }

/** The texts in the first available of these languages (BCP 47), otherwise in English. */
export function textsFor(preferredLanguage: readonly string[]): Texts {
  for (const tag of preferredLanguage) {
    const code = tag.toLowerCase().split('-')[0]
    const found = Object.entries(texts).find(([language]) => language === code)
    if (found) return found[1]
  }
  return texts.en
}
