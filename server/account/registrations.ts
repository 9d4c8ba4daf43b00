import type { ProviderId } from '../../shared/account.ts'
import type { Config } from '../config.ts'
import type { Registration } from '../foundation/social/provider.ts'

/** What the operator has registered at a provider; undefined where it is off. */
export function registrationOf({ config }: { config: Config }, id: ProviderId): Registration | undefined {
  const settings = config.providers[id]
  if (!settings) return undefined
  const prefix = id.toUpperCase()
  return {
    clientId: settings[`${prefix}_CLIENT_ID`] ?? settings[`${prefix}_CLIENT_KEY`] ?? '',
    clientSecret: settings[`${prefix}_CLIENT_SECRET`] ?? '',
    settings,
  }
}

/** Where every provider sends people back to; registered there to the letter. */
export function redirectUri({ config }: { config: Config }, id: ProviderId): string {
  return `${config.appOrigin}${config.basePath}/callback/${id}`
}
