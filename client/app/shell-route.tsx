import { createRootRoute, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { eventGroups } from '../../shared/event-group.ts'
import { isSafePath } from '../../shared/redirect.ts'
import { queries } from '../api/client.ts'
import { usePendingConfirmation } from '../api/confirmation.ts'
import { trpc } from '../api/trpc.ts'
import { applyAccountLanguage, loadTexts } from '../language/i18n.ts'
import type { TextKey } from '../language/translation.ts'
import { OfflineNotice } from '../ui/OfflineNotice.tsx'
import { ScreenError, LoadingScreen, NotFound } from '../ui/ScreenStates.tsx'
import { day, oneOf, searchOf, textUpTo } from '../ui/search.ts'
import { lazyScreen } from './lazy-screen.ts'

/** The filters of a list of events. */
export const eventSearch = searchOf({
  group: oneOf(eventGroups),
  type: textUpTo(64),
  actor: textUpTo(64),
  from: day,
  to: day,
})

function Root() {
  return (
    <>
      <Outlet />
      <Impersonation />
      <PendingConfirmation />
      <OfflineNotice />
    </>
  )
}

const ImpersonationBar = lazy(async () => {
  const [{ ImpersonationBar: Loaded }] = await Promise.all([import('../shell/ImpersonationBar.tsx'), loadTexts()])
  return { default: Loaded }
})

/** Visible on every screen while an administrator acts as a user (SEC-127). */
function Impersonation() {
  // The screens load the session. This only reads it.
  const { data: current } = trpc.session.get.useQuery(undefined, { enabled: false })
  if (!current?.session.impersonatedBy) return null
  return (
    <Suspense fallback={null}>
      <ImpersonationBar userId={current.user.id} userName={current.user.name} />
    </Suspense>
  )
}

const loadDialog = () => import('../session/ConfirmationDialog.tsx')

/** The dialog of a confirmation. If it cannot be loaded, the call fails with its refusal. */
function PendingConfirmation() {
  const confirmation = usePendingConfirmation()
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadDialog>>>()
  useEffect(() => {
    if (confirmation && !loaded) loadDialog().then(setLoaded, () => confirmation.answer(false))
  }, [confirmation, loaded])
  if (!confirmation || !loaded) return null
  const { id, kind, answer } = confirmation
  return (
    <Suspense fallback={null}>
      <loaded.ConfirmationDialog key={id} kind={kind} answer={answer} />
    </Suspense>
  )
}

export const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
  pendingComponent: LoadingScreen,
})

export const loadOptions = () => queries.session.options.ensureData()

/** Guard for signed-in users; others are redirected to sign-in and back afterwards. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  // Sent as one request.
  loadOptions().catch(() => {})
  const session = await queries.session.get.fetch(undefined, { staleTime: 30_000 })
  if (session) return applyAccountLanguage(session.user.language)
  // The router leaves some characters of a query unencoded that a safe path does not contain.
  const path = location.href.replaceAll(/[!'()*~:@,;$]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  const next = isSafePath(path) && path !== '/' ? { next: path } : {}
  throw redirect({ to: '/sign-in', search: next })
}

/** Pathless route that renders the app shell around all screens of signed-in users. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location, matches }) => {
    // Others are not asked to sign in because of a mistyped URL. Rendered by the root.
    const known = queries.session.get.getData()
    const isUnknown = matches.at(-1)?.routeId === '/shell/$'
    if (isUnknown && !(known ?? (await queries.session.get.fetch()))) throw notFound()
    // A verification link without a callbackURL redirects to the home screen; its error is shown on /verified.
    const error = textUpTo(64)(Reflect.get(location.search, 'error'))
    if (location.pathname === '/' && error !== undefined) throw redirect({ to: '/verified', search: { error } })
    // Within the shell, the session is checked beside the data of the next screen. If it has ended, the shell itself
    // leads to the sign-in.
    if (known) void queries.session.get.prefetch(undefined, { staleTime: 30_000 })
    else await requireSession({ location })
  },
  loader: loadOptions,
  component: lazyScreen(() => import('../shell/AppShell.tsx'), 'AppShell'),
})

const loadStates = () => import('../ui/PageStates.tsx')

/** Options of routes in the shell: pending and error states keep header and navigation mounted. */
export const shellRoute = {
  getParentRoute: () => shell,
  pendingComponent: lazyScreen(loadStates, 'PageLoading'),
  errorComponent: lazyScreen(loadStates, 'PageError'),
  notFoundComponent: lazyScreen(loadStates, 'PageNotFound'),
} as const

/** Options of the route of a screen with a table. */
export const tableRoute = { ...shellRoute, pendingComponent: lazyScreen(loadStates, 'TableLoading') } as const

/** Options of the route of a screen of several parts that is as wide as a table. */
export const wideRoute = { ...shellRoute, pendingComponent: lazyScreen(loadStates, 'WidePageLoading') } as const

/** An unknown URL of a signed-in user. */
export const unknownPage = createRoute({
  ...shellRoute,
  path: '$',
  component: lazyScreen(loadStates, 'PageNotFound'),
})

/** Options of the sections of the settings. Their sub-navigation stays mounted while one loads or fails. */
export const sectionRoute = {
  pendingComponent: lazyScreen(loadStates, 'SectionLoading'),
  errorComponent: lazyScreen(loadStates, 'CardsError'),
} as const

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The heading of the screen, which is shown while it loads. */
    title?: TextKey
  }
}
