import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { z } from 'zod'
import { eventGroups } from '../../shared/event.ts'
import { invitationStatuses } from '../../shared/invitation.ts'
import { isSafePath } from '../../shared/redirect.ts'
import { hasGallery } from '../gallery/screen-state.ts'
import { userStates } from '../admin/user-states.ts'
import { applyAccountLanguage } from '../language/i18n.ts'
import { SignIn } from '../session/SignIn.tsx'
import { checkedNext, redirectTo } from './next.ts'
import { TableSearch } from './table-search.ts'
import { queries } from './trpc.ts'
import { OfflineNotice } from '../ui/OfflineNotice.tsx'
import {
  CardsFailure,
  CardsLoading,
  Failure,
  LoadingScreen,
  NotFound,
  PageFailure,
  PageLoading,
} from '../ui/ScreenStates.tsx'

/** Routes, with their screens and guards. Invalid search parameters are dropped instead of raising an error. */
const text = z.string().max(2048).optional().catch(undefined)
/** Checked where it is used (client/app/next.ts). */
const NextPage = text

function Root() {
  return (
    <>
      <Outlet />
      <OfflineNotice />
    </>
  )
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Failure,
  pendingComponent: LoadingScreen,
})

const loadOptions = () => queries.session.options.ensureData()

/** Guard for signed-in users; others are redirected to sign-in and back afterwards. */
async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  // Asked together, in one request.
  loadOptions().catch(() => {})
  const session = await queries.session.get.fetch(undefined, { staleTime: 30_000 })
  if (session) return applyAccountLanguage(session.user.language)
  const next = isSafePath(location.href) && location.href !== '/' ? { next: location.href } : {}
  throw redirect({ to: '/sign-in', search: next })
}

/** Guard for signed-out users; signed-in users are redirected into the application. */
async function redirectIfSignedIn({
  search,
}: {
  search: { next?: string | undefined; again?: unknown }
}): Promise<void> {
  // An application wants a sign-in that is newer than its request.
  if (search.again !== undefined) return
  // Asked together, in one request.
  const loading = loadOptions()
  loading.catch(() => {})
  // What the browser goes on to asks the database: a session that is only cached would send it round in circles.
  const input = search.next === undefined ? undefined : { disableCookieCache: true }
  const session = await queries.session.get.fetch(input, { staleTime: input ? 0 : 30_000 })
  if (session) throw redirect(redirectTo(checkedNext(search.next, await loading) ?? '/'))
}

/** Pathless route that renders the app shell around all screens of signed-in users. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    // A verification link without a callbackURL redirects to the start page; its error is shown on /verified.
    const failed = z.object({ error: z.string().max(64) }).safeParse(location.search)
    if (location.pathname === '/' && failed.success) throw redirect({ to: '/verified', search: failed.data })
    await requireSession({ location })
  },
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../shell/AppShell.tsx'), 'AppShell'),
})

/** Options of routes in the shell: pending and error states keep header and navigation mounted. */
const shellRoute = { getParentRoute: () => shell, pendingComponent: PageLoading, errorComponent: PageFailure } as const

const home = createRoute({
  ...shellRoute,
  path: '/',
  validateSearch: z.object({ error: text }),
  loader: () => Promise.all([queries.organization.mine.prefetch(), queries.invitation.mine.prefetch()]),
  component: lazyRouteComponent(() => import('../session/Home.tsx'), 'Home'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: z.object({
    email: text,
    next: NextPage,
    again: z.literal(true).optional().catch(undefined),
    lang: text,
  }),
  beforeLoad: redirectIfSignedIn,
  loader: loadOptions,
  component: SignIn,
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: z.object({ email: text, next: NextPage }),
  beforeLoad: redirectIfSignedIn,
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/SignUp.tsx'), 'SignUp'),
})

const checkMail = createRoute({
  getParentRoute: () => root,
  path: '/check-mail',
  validateSearch: z.object({
    email: z.string().max(254).catch(''),
    reason: z.enum(['unverified']).optional().catch(undefined),
    next: text,
  }),
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/CheckMail.tsx'), 'CheckMail'),
})

const verified = createRoute({
  getParentRoute: () => root,
  path: '/verified',
  validateSearch: z.object({ email: text, error: text, next: NextPage }),
  beforeLoad: async ({ search }) => {
    const session = await queries.session.get.fetch(undefined, { staleTime: 30_000 })
    const next = checkedNext(search.next, await loadOptions())
    if (session && search.error === undefined && next !== undefined) throw redirect(redirectTo(next))
  },
  component: lazyRouteComponent(() => import('../account/Verified.tsx'), 'Verified'),
})

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: z.object({ token: z.string().max(4096).optional().catch(undefined), callbackURL: text }),
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/Verify.tsx'), 'Verify'),
})

const deleteAccount = createRoute({
  getParentRoute: () => root,
  path: '/delete-account',
  validateSearch: z.object({ token: text, callbackURL: text }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyRouteComponent(() => import('../account/DeleteAccount.tsx'), 'DeleteAccount'),
})

const reauthenticated = createRoute({
  getParentRoute: () => root,
  path: '/reauthenticated',
  component: lazyRouteComponent(() => import('../session/Reauthenticated.tsx'), 'Reauthenticated'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  validateSearch: z.object({ email: text, next: NextPage }),
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/ForgotPassword.tsx'), 'ForgotPassword'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: z.object({ token: text, error: text, next: NextPage }),
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/ResetPassword.tsx'), 'ResetPassword'),
})

const settings = createRoute({
  ...shellRoute,
  path: '/settings',
  validateSearch: z.object({ error: text, next: NextPage }),
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../account/SettingsLayout.tsx'), 'SettingsLayout'),
})

/** Options of the sections of the settings: their sub-navigation stays while one loads or fails. */
const settingsRoute = {
  getParentRoute: () => settings,
  pendingComponent: CardsLoading,
  errorComponent: CardsFailure,
} as const

const profileSettings = createRoute({
  ...settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../account/ProfileSettings.tsx'), 'ProfileSettings'),
})

const securitySettings = createRoute({
  ...settingsRoute,
  path: '/security',
  loader: () => queries.account.listAccounts.ensureData(),
  component: lazyRouteComponent(() => import('../account/SecuritySettings.tsx'), 'SecuritySettings'),
})

const apiKeys = createRoute({
  ...settingsRoute,
  path: '/api-keys',
  loader: () => queries.apiKey.list.ensureData({}),
  component: lazyRouteComponent(() => import('../api-key/ApiKeySettings.tsx'), 'ApiKeySettings'),
})

const connectedApps = createRoute({
  ...settingsRoute,
  path: '/connected-apps',
  loader: () => queries.oauth.connectedApps.ensureData(),
  component: lazyRouteComponent(() => import('../oauth/ConnectedApps.tsx'), 'ConnectedApps'),
})

const sessionSettings = createRoute({
  ...settingsRoute,
  path: '/sessions',
  loader: () => queries.session.devices.ensureData(),
  component: lazyRouteComponent(() => import('../session/Sessions.tsx'), 'Sessions'),
})

const Group = z.object({ group: z.enum(eventGroups).optional().catch(undefined) })

const activity = createRoute({
  ...settingsRoute,
  path: '/activity',
  validateSearch: Group,
  component: lazyRouteComponent(() => import('../event/Activity.tsx'), 'Activity'),
})

const deletionSettings = createRoute({
  ...settingsRoute,
  path: '/delete',
  loader: () => queries.account.listAccounts.ensureData(),
  component: lazyRouteComponent(() => import('../account/DeleteSettings.tsx'), 'DeleteSettings'),
})

const newOrganization = createRoute({
  ...shellRoute,
  path: '/organizations/new',
  component: lazyRouteComponent(() => import('../organization/CreateOrganization.tsx'), 'CreateOrganization'),
})

const organization = createRoute({
  ...shellRoute,
  path: '/o/$slug',
  loader: ({ params }) => queries.organization.get.ensureData({ slug: params.slug }),
  component: lazyRouteComponent(() => import('../organization/OrganizationLayout.tsx'), 'OrganizationLayout'),
  errorComponent: lazyRouteComponent(() => import('../organization/OrganizationLayout.tsx'), 'OrganizationUnavailable'),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/',
  validateSearch: TableSearch.extend({ role: text, team: text }),
  component: lazyRouteComponent(() => import('../organization/Members.tsx'), 'Members'),
})

const invitations = createRoute({
  getParentRoute: () => organization,
  path: '/invitations',
  validateSearch: TableSearch.extend({
    status: z.enum(invitationStatuses).optional().catch(undefined),
    invite: z.boolean().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../invitation/Invitations.tsx'), 'Invitations'),
})

const teams = createRoute({
  getParentRoute: () => organization,
  path: '/teams',
  component: lazyRouteComponent(() => import('../team/Teams.tsx'), 'Teams'),
})

const organizationSettings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('../organization/OrganizationSettings.tsx'), 'OrganizationSettings'),
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/activity',
  validateSearch: Group,
  component: lazyRouteComponent(() => import('../event/Activity.tsx'), 'AuditLog'),
})

const organizationBilling = createRoute({
  getParentRoute: () => organization,
  path: '/billing',
  validateSearch: TableSearch,
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../payment/Billing.tsx'), 'OrganizationBilling'),
})

const billing = createRoute({
  ...shellRoute,
  path: '/billing',
  validateSearch: TableSearch,
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../payment/Billing.tsx'), 'MyBilling'),
})

const billingReturn = createRoute({
  getParentRoute: () => root,
  path: '/billing/return',
  // Query parameters added by the payment provider are ignored: anyone can type them.
  validateSearch: z.object({
    since: z.coerce.number().catch(0),
    organization: text,
    canceled: z.coerce.string().optional(),
  }),
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('../payment/BillingReturn.tsx'), 'BillingReturn'),
})

const overview = createRoute({
  ...shellRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('../admin/Overview.tsx'), 'Overview'),
})

const adminPayments = createRoute({
  ...shellRoute,
  path: '/admin/payments',
  component: lazyRouteComponent(() => import('../admin/AdminPayments.tsx'), 'AdminPayments'),
})

const organizations = createRoute({
  ...shellRoute,
  path: '/admin/organizations',
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('../admin/Organizations.tsx'), 'Organizations'),
})

const adminOrganization = createRoute({
  ...shellRoute,
  path: '/admin/organizations/$organizationId',
  component: lazyRouteComponent(() => import('../admin/Organization.tsx'), 'Organization'),
})

const events = createRoute({
  ...shellRoute,
  path: '/admin/events',
  component: lazyRouteComponent(() => import('../admin/Events.tsx'), 'Events'),
})

const mails = createRoute({
  ...shellRoute,
  path: '/admin/mails',
  component: lazyRouteComponent(() => import('../admin/Mails.tsx'), 'Mails'),
})

const system = createRoute({
  ...shellRoute,
  path: '/admin/system',
  component: lazyRouteComponent(() => import('../admin/System.tsx'), 'System'),
})

const users = createRoute({
  ...shellRoute,
  path: '/admin/users',
  validateSearch: TableSearch.extend({ state: z.enum(userStates).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('../admin/Users.tsx'), 'Users'),
})

const user = createRoute({
  ...shellRoute,
  path: '/admin/users/$userId',
  component: lazyRouteComponent(() => import('../admin/User.tsx'), 'User'),
})

const clients = createRoute({
  ...shellRoute,
  path: '/admin/clients',
  component: lazyRouteComponent(() => import('../admin/Clients.tsx'), 'Clients'),
})

const webhooks = createRoute({
  ...shellRoute,
  path: '/admin/webhooks',
  component: lazyRouteComponent(() => import('../admin/Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  ...shellRoute,
  path: '/admin/webhooks/$endpointId',
  component: lazyRouteComponent(() => import('../admin/Webhook.tsx'), 'WebhookPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$id',
  validateSearch: z.object({ secret: text, next: NextPage }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyRouteComponent(() => import('../invitation/Invitation.tsx'), 'Invitation'),
})

const signOut = createRoute({
  getParentRoute: () => root,
  path: '/sign-out',
  validateSearch: z.object({ next: NextPage }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyRouteComponent(() => import('../session/SignOut.tsx'), 'SignOut'),
})

const consent = createRoute({
  getParentRoute: () => root,
  path: '/consent/$uid',
  beforeLoad: requireSession,
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../oauth/Consent.tsx'), 'Consent'),
})

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: z.object({ user_code: text }),
  beforeLoad: requireSession,
  loader: loadOptions,
  component: lazyRouteComponent(() => import('../oauth/Device.tsx'), 'Device'),
})

const errorPage = createRoute({
  getParentRoute: () => root,
  path: '/error',
  validateSearch: z.object({
    error: z
      .string()
      .regex(/^[\w. -]{1,64}$/)
      .optional()
      .catch(undefined),
    from: z.enum(['link']).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../session/ErrorPage.tsx'), 'ErrorPage'),
})

const gallery = createRoute({
  ...shellRoute,
  path: '/dev/screens',
  beforeLoad: () => {
    if (!hasGallery()) throw notFound()
  },
  component: lazyRouteComponent(() => import('../gallery/Gallery.tsx'), 'Gallery'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([
      home,
      settings.addChildren([
        profileSettings,
        securitySettings,
        sessionSettings,
        connectedApps,
        apiKeys,
        activity,
        deletionSettings,
      ]),
      newOrganization,
      organization.addChildren([members, invitations, teams, organizationSettings, auditLog, organizationBilling]),
      billing,
      overview,
      adminPayments,
      organizations,
      adminOrganization,
      events,
      mails,
      system,
      users,
      clients,
      webhooks,
      webhook,
      user,
      gallery,
    ]),
    signIn,
    signUp,
    checkMail,
    verified,
    verify,
    deleteAccount,
    reauthenticated,
    forgotPassword,
    resetPassword,
    billingReturn,
    invitation,
    signOut,
    consent,
    device,
    errorPage,
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
