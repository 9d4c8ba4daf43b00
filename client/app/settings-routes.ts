import { createRoute } from '@tanstack/react-router'
import { queries } from '../api/client.ts'
import { nextPage, searchOf, text, textUpTo } from '../ui/search.ts'
import { lazyScreen } from './lazy-screen.ts'
import { eventSearch, loadOptions, sectionRoute, shellRoute } from './shell-route.tsx'

const settings = createRoute({
  ...shellRoute,
  path: '/settings',
  validateSearch: searchOf({ error: text, email: textUpTo(254), next: nextPage }),
  loader: loadOptions,
  component: lazyScreen(() => import('../account/SettingsLayout.tsx'), 'SettingsLayout'),
})

const settingsRoute = {
  getParentRoute: () => settings,
  ...sectionRoute,
} as const

const profileSettings = createRoute({
  ...settingsRoute,
  path: '/',
  loader: () => queries.account.pendingEmail.prefetch(),
  component: lazyScreen(() => import('../account/ProfileSettings.tsx'), 'ProfileSettings'),
})

const securitySettings = createRoute({
  ...settingsRoute,
  path: '/security',
  // Each part fails on its own.
  loader: () =>
    Promise.all([
      queries.account.listAccounts.prefetch(),
      queries.passkey.list.prefetch(),
      queries.twoFactor.status.prefetch(),
    ]),
  component: lazyScreen(() => import('../account/SecuritySettings.tsx'), 'SecuritySettings'),
})

const apiKeys = createRoute({
  ...settingsRoute,
  path: '/api-keys',
  loader: () => queries.apiKey.list.ensureData({}),
  component: lazyScreen(() => import('../api-key/ApiKeySettings.tsx'), 'ApiKeySettings'),
})

const connectedApps = createRoute({
  ...settingsRoute,
  path: '/connected-apps',
  loader: () => queries.oauth.connectedApps.ensureData(),
  component: lazyScreen(() => import('../oauth/ConnectedApps.tsx'), 'ConnectedApps'),
})

const sessionSettings = createRoute({
  ...settingsRoute,
  path: '/sessions',
  loader: () => queries.session.devices.ensureData(),
  component: lazyScreen(() => import('../session/Sessions.tsx'), 'Sessions'),
})

const activity = createRoute({
  ...settingsRoute,
  path: '/activity',
  validateSearch: eventSearch,
  component: lazyScreen(() => import('../event/Activity.tsx'), 'Activity'),
})

const deletionSettings = createRoute({
  ...settingsRoute,
  path: '/delete',
  loader: () => Promise.all([queries.account.listAccounts.ensureData(), queries.account.previewDeletion.prefetch()]),
  component: lazyScreen(() => import('../account/DeleteSettings.tsx'), 'DeleteSettings'),
})

/** Screens of the user's own settings. */
export const settingsRoutes = settings.addChildren([
  profileSettings,
  securitySettings,
  sessionSettings,
  connectedApps,
  apiKeys,
  activity,
  deletionSettings,
])
