import {
  createRoute,
  createRouter,
  notFound,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { maxTargetWithQuery } from '../../shared/redirect.ts'
import { queries } from '../api/client.ts'
import { hasGallery } from '../api/screen-state.ts'
import { loadLogos } from '../session/ProviderLogo.tsx'
import { maxShown } from '../session/Providers.tsx'
import { SignIn } from '../session/SignIn.tsx'
import { suggestsPasskey } from '../two-factor/passkey-suggestion.ts'
import { checkedNext, redirectTo } from '../ui/next.ts'
import { errorCode, nextPage, number, oneOf, query, searchOf, tableSearch, text, textUpTo, yes } from '../ui/search.ts'
import { adminRoutes } from './admin-routes.ts'
import { lazyScreen } from './lazy-screen.ts'
import { loadBilling } from './load-billing.ts'
import { newOrganization, organizationRoutes } from './organization-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { loadOptions, requireSession, root, shell, shellRoute, unknownPage } from './shell-route.tsx'

/** Guard for signed-out users; signed-in users are redirected into the application. */
async function redirectIfSignedIn({
  search,
}: {
  search: { next?: string | undefined; again?: unknown }
}): Promise<void> {
  // An application requires a sign-in that is newer than its request.
  if (search.again !== undefined) return
  // Sent as one request.
  const loading = loadOptions()
  loading.catch(() => {})
  // The target reads the session from the database: accepting a merely cached session would cause a redirect loop.
  const input = search.next === undefined ? undefined : { disableCookieCache: true }
  const session = await queries.session.get.fetch(input, { staleTime: input ? 0 : 30_000 })
  if (session) throw redirect(redirectTo(checkedNext(search.next, await loading) ?? '/'))
}

const home = createRoute({
  ...shellRoute,
  path: '/',
  validateSearch: searchOf({ error: text }),
  // All of them in one request: what the screen shows depends on each.
  loader: () =>
    Promise.all([
      queries.organization.mine.prefetch(),
      queries.invitation.mine.prefetch(),
      queries.account.listAccounts.prefetch(),
      suggestsPasskey() && queries.passkey.list.prefetch(),
    ]),
  component: lazyScreen(() => import('../home/Home.tsx'), 'Home'),
})

/** Loads the options, and the logos of the providers next to the form, unless the prerendered page has them. */
async function loadSignInScreen(): Promise<void> {
  const { providers } = await loadOptions()
  // Decorative: without them, the screen is complete.
  await loadLogos(providers.slice(0, maxShown)).catch(() => {})
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({
    email: text,
    next: nextPage,
    again: yes,
    lang: text,
  }),
  beforeLoad: redirectIfSignedIn,
  loader: loadSignInScreen,
  component: SignIn,
})

const signInCode = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-code',
  validateSearch: searchOf({ email: text, next: nextPage }),
  beforeLoad: redirectIfSignedIn,
  loader: loadOptions,
  component: lazyScreen(() => import('../session/SignInCode.tsx'), 'SignInCode'),
})

const magicLink = createRoute({
  getParentRoute: () => root,
  path: '/magic-link',
  validateSearch: searchOf({ token: textUpTo(64) }),
  loader: loadOptions,
  component: lazyScreen(() => import('../session/OpenedElsewhere.tsx'), 'OpenedElsewhere'),
})

const secondStep = createRoute({
  getParentRoute: () => root,
  path: '/two-factor',
  validateSearch: searchOf({ next: nextPage }),
  loader: () => Promise.all([loadOptions(), queries.twoFactor.pending.fetch(undefined, { staleTime: 0 })]),
  component: lazyScreen(() => import('../two-factor/SecondStep.tsx'), 'SecondStep'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: searchOf({ email: text, next: nextPage }),
  beforeLoad: redirectIfSignedIn,
  loader: loadSignInScreen,
  component: lazyScreen(() => import('../account/SignUp.tsx'), 'SignUp'),
})

const readCheckMail = searchOf({ email: textUpTo(254), reason: oneOf(['unverified']), next: nextPage })

const checkMail = createRoute({
  getParentRoute: () => root,
  path: '/check-mail',
  validateSearch: readCheckMail,
  beforeLoad: ({ search }) => {
    if (search.email === undefined) throw redirect({ to: '/sign-in' })
  },
  loader: loadOptions,
  component: lazyScreen(() => import('../account/CheckMail.tsx'), 'CheckMail'),
})

const readVerified = searchOf({ email: text, error: text, next: nextPage })

const verified = createRoute({
  getParentRoute: () => root,
  path: '/verified',
  validateSearch: readVerified,
  beforeLoad: async ({ search }) => {
    const session = await queries.session.get.fetch(undefined, { staleTime: 30_000 })
    const next = checkedNext(search.next, await loadOptions())
    if (session && search.error === undefined && next !== undefined) throw redirect(redirectTo(next))
  },
  component: lazyScreen(() => import('../account/Verified.tsx'), 'Verified'),
})

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: searchOf({ token: textUpTo(4096), callbackURL: textUpTo(maxTargetWithQuery) }),
  loader: loadOptions,
  component: lazyScreen(() => import('../account/Verify.tsx'), 'Verify'),
})

const deleteAccount = createRoute({
  getParentRoute: () => root,
  path: '/delete-account',
  validateSearch: searchOf({ token: text, callbackURL: text }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyScreen(() => import('../account/DeleteAccount.tsx'), 'DeleteAccount'),
})

const reauthenticated = createRoute({
  getParentRoute: () => root,
  path: '/reauthenticated',
  validateSearch: searchOf({ for: textUpTo(64) }),
  component: lazyScreen(() => import('../session/Reauthenticated.tsx'), 'Reauthenticated'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  validateSearch: searchOf({ email: text, next: nextPage }),
  loader: loadOptions,
  component: lazyScreen(() => import('../account/ForgotPassword.tsx'), 'ForgotPassword'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: searchOf({ token: text, error: text, next: nextPage }),
  loader: loadOptions,
  component: lazyScreen(() => import('../account/ResetPassword.tsx'), 'ResetPassword'),
})

const billing = createRoute({
  ...shellRoute,
  path: '/billing',
  staticData: { title: 'billing.mine' },
  validateSearch: searchOf({ ...tableSearch, status: text }),
  loader: () => loadBilling({}),
  component: lazyScreen(() => import('../payment/Billing.tsx'), 'MyBilling'),
})

const billingReturn = createRoute({
  getParentRoute: () => root,
  path: '/billing/return',
  // Query parameters added by the payment provider are ignored, because anyone can enter them.
  validateSearch: searchOf({
    since: number,
    organization: text,
    canceled: query,
  }),
  beforeLoad: requireSession,
  component: lazyScreen(() => import('../payment/BillingReturn.tsx'), 'BillingReturn'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$id',
  validateSearch: searchOf({ secret: text, next: nextPage }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyScreen(() => import('../invitation/Invitation.tsx'), 'Invitation'),
})

const signOut = createRoute({
  getParentRoute: () => root,
  path: '/sign-out',
  validateSearch: searchOf({ next: nextPage }),
  loader: () => Promise.all([loadOptions(), queries.session.get.fetch(undefined, { staleTime: 30_000 })]),
  component: lazyScreen(() => import('../session/SignOut.tsx'), 'SignOut'),
})

const consent = createRoute({
  getParentRoute: () => root,
  path: '/consent/$uid',
  beforeLoad: requireSession,
  loader: loadOptions,
  component: lazyScreen(() => import('../oauth/Consent.tsx'), 'Consent'),
})

const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: searchOf({ user_code: text }),
  beforeLoad: requireSession,
  loader: loadOptions,
  component: lazyScreen(() => import('../oauth/Device.tsx'), 'Device'),
})

const errorPage = createRoute({
  getParentRoute: () => root,
  path: '/error',
  validateSearch: searchOf({
    error: errorCode,
    from: oneOf(['link']),
  }),
  component: lazyScreen(() => import('../session/ErrorPage.tsx'), 'ErrorPage'),
})

const gallery = createRoute({
  ...shellRoute,
  path: '/dev/screens',
  beforeLoad: () => {
    if (!hasGallery()) throw notFound()
  },
  component: lazyScreen(() => import('../gallery/Gallery.tsx'), 'Gallery'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren([
      home,
      settingsRoutes,
      newOrganization,
      organizationRoutes,
      billing,
      adminRoutes,
      gallery,
      unknownPage,
    ]),
    signIn,
    signInCode,
    magicLink,
    secondStep,
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
  // As everywhere on the web: by default, a text that looks like JSON would be in quotes.
  parseSearch: parseSearchWith(String),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
