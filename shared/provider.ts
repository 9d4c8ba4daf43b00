export const providerIds = [
  'apple',
  'discord',
  'facebook',
  'github',
  'microsoft',
  'google',
  'spotify',
  'twitch',
  'twitter',
  'dropbox',
  'kick',
  'linkedin',
  'gitlab',
  'tiktok',
  'reddit',
  'roblox',
  'vk',
  'zoom',
] as const
export type ProviderId = (typeof providerIds)[number]

export function isProvider(name: string): name is ProviderId {
  return providerIds.some((id) => id === name)
}

/** Display names of the providers. */
export const providerNames: Record<ProviderId, string> = {
  apple: 'Apple',
  discord: 'Discord',
  facebook: 'Facebook',
  github: 'GitHub',
  microsoft: 'Microsoft',
  google: 'Google',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'X',
  dropbox: 'Dropbox',
  kick: 'Kick',
  linkedin: 'LinkedIn',
  gitlab: 'GitLab',
  tiktok: 'TikTok',
  reddit: 'Reddit',
  roblox: 'Roblox',
  vk: 'VK',
  zoom: 'Zoom',
}

/**
 * Display name of a sign-in method: the provider's name; `credential`, the password, is translated where it is shown.
 */
export function nameOfMethod(providerId: string): string {
  return isProvider(providerId) ? providerNames[providerId] : 'credential'
}
