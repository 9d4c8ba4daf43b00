import type { ProviderId } from '../../shared/provider.ts'
import type { Config } from '../config.ts'
import type { Registration } from '../foundation/social/provider.ts'

/** Returns the operator's client registration at a provider; undefined if the provider is disabled. */
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

/** The redirect URI for this provider; must match the URI registered there exactly. */
export function redirectUri({ config }: { config: Config }, id: ProviderId): string {
  return `${config.appOrigin}${config.basePath}/callback/${id}`
}
