import { providerIds, type ProviderId } from '../shared/provider.ts'

/** Required and optional settings of each provider. */
const providerSettings: Record<ProviderId, { required: string[]; optional?: string[] }> = {
  apple: {
    required: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    optional: ['APPLE_CLIENT_SECRET', 'APPLE_APP_BUNDLE_IDENTIFIER'],
  },
  discord: idAndSecret('DISCORD'),
  facebook: idAndSecret('FACEBOOK'),
  github: idAndSecret('GITHUB'),
  microsoft: { ...idAndSecret('MICROSOFT'), optional: ['MICROSOFT_TENANT_ID'] },
  google: idAndSecret('GOOGLE'),
  spotify: idAndSecret('SPOTIFY'),
  twitch: idAndSecret('TWITCH'),
  twitter: idAndSecret('TWITTER'),
  dropbox: idAndSecret('DROPBOX'),
  kick: idAndSecret('KICK'),
  linkedin: idAndSecret('LINKEDIN'),
  gitlab: { ...idAndSecret('GITLAB'), optional: ['GITLAB_ISSUER'] },
  tiktok: { required: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'] },
  reddit: idAndSecret('REDDIT'),
  roblox: idAndSecret('ROBLOX'),
  vk: { required: ['VK_CLIENT_ID'], optional: ['VK_CLIENT_SECRET'] },
  zoom: idAndSecret('ZOOM'),
}

/** Names of all provider settings. */
export const providerSettingNames: string[] = Object.values(providerSettings).flatMap(({ required, optional = [] }) => [
  ...required,
  ...optional,
])

/** Enables a provider if all its required settings are present. If only some are, it stays disabled with a warning. */
export function readProviders(settings: Record<string, string | undefined>) {
  const providers: Partial<Record<ProviderId, Record<string, string>>> = {}
  const warnings: string[] = []
  for (const id of providerIds) {
    const { required, optional = [] } = providerSettings[id]
    const ready = id === 'apple' && settings['APPLE_CLIENT_SECRET'] ? ['APPLE_CLIENT_ID'] : required
    const present = [...required, ...optional].filter((name) => settings[name] !== undefined)
    const missing = ready.filter((name) => settings[name] === undefined)
    const tenant = id === 'microsoft' ? settings['MICROSOFT_TENANT_ID'] : undefined
    if (tenant !== undefined && !isTenant(tenant)) {
      warnings.push(
        'microsoft is disabled: MICROSOFT_TENANT_ID has to be a directory id, common, organizations or consumers',
      )
    } else if (missing.length === 0) {
      providers[id] = Object.fromEntries(present.map((name) => [name, settings[name] ?? '']))
    } else if (present.length > 0) {
      warnings.push(`${id} is disabled: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`)
    }
  }
  return { providers, warnings }
}

/** Tenants are identified by id, not by domain: tokens contain only the directory's id. */
function isTenant(text: string): boolean {
  return /^(?:common|organizations|consumers|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)
}

function idAndSecret(prefix: string) {
  return { required: [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] }
}
