import { createRoute } from '@tanstack/react-router'
import { paymentFilters } from '../../shared/payment-filter.ts'
import { mailsPage, openPaymentEventsPage } from '../admin/first-pages.ts'
import { userStates } from '../admin/user-states.ts'
import { queries } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { oneOf, pageSize, searchOf, tableSearch, textUpTo } from '../ui/search.ts'
import { lazyScreen } from './lazy-screen.ts'
import { eventSearch, tableRoute, wideRoute } from './shell-route.tsx'

/** Pathless route around the screens of administrators, who need a second factor. */
const administration = createRoute({
  ...tableRoute,
  id: 'administration',
  loader: () => queries.twoFactor.status.ensureData(),
  component: lazyScreen(() => import('../two-factor/AdministrationLayout.tsx'), 'AdministrationLayout'),
})

const administrationRoute = { ...tableRoute, getParentRoute: () => administration } as const
const wideAdministrationRoute = { ...wideRoute, getParentRoute: () => administration } as const

const overview = createRoute({
  ...wideAdministrationRoute,
  path: '/admin',
  staticData: { title: 'installation.overview' },
  // What is above the rest of a screen is loaded before it: nothing moves down later.
  loader: () => Promise.all([queries.admin.overview.prefetch(), queries.admin.revenue.prefetch()]),
  component: lazyScreen(() => import('../admin/Overview.tsx'), 'Overview'),
})

const adminPayments = createRoute({
  ...administrationRoute,
  path: '/admin/payments',
  staticData: { title: 'installation.payments' },
  loader: () =>
    Promise.all([
      queries.admin.openPaymentEvents.prefetchInfinite(openPaymentEventsPage),
      queries.admin.payments.prefetch({ descending: true, limit: pageSize, offset: 0, search: '' }),
      queries.admin.disputes.prefetch(),
    ]),
  validateSearch: searchOf({ ...tableSearch, status: oneOf(paymentFilters) }),
  component: lazyScreen(() => import('../admin/AdminPayments.tsx'), 'AdminPayments'),
})

const adminPayment = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/payments/$paymentId',
  component: lazyScreen(() => import('../admin/Payment.tsx'), 'Payment'),
})

const organizations = createRoute({
  ...administrationRoute,
  path: '/admin/organizations',
  staticData: { title: 'installation.organizations' },
  validateSearch: searchOf(tableSearch),
  component: lazyScreen(() => import('../admin/Organizations.tsx'), 'Organizations'),
})

const adminOrganization = createRoute({
  ...administrationRoute,
  path: '/admin/organizations/$organizationId',
  validateSearch: searchOf({ ...tableSearch, role: textUpTo(20) }),
  component: lazyScreen(() => import('../admin/Organization.tsx'), 'Organization'),
})

const events = createRoute({
  ...administrationRoute,
  path: '/admin/events',
  staticData: { title: 'installation.events' },
  validateSearch: eventSearch,
  component: lazyScreen(() => import('../admin/Events.tsx'), 'Events'),
})

const mails = createRoute({
  ...administrationRoute,
  path: '/admin/mails',
  staticData: { title: 'installation.mails' },
  loader: () => queries.admin.mails.prefetchInfinite({ state: 'queued', ...mailsPage }),
  component: lazyScreen(() => import('../admin/Mails.tsx'), 'Mails'),
})

const system = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/system',
  staticData: { title: 'installation.system' },
  loader: () =>
    Promise.all([
      // With its schema, which the first visit does not need.
      import('../admin/health-query.ts').then(({ healthQuery }) => queryClient.prefetchQuery(healthQuery)),
      queries.admin.jobs.prefetch(),
      queries.admin.settings.prefetch(),
      queries.admin.administrators.prefetch(),
    ]),
  component: lazyScreen(() => import('../admin/System.tsx'), 'System'),
})

const users = createRoute({
  ...administrationRoute,
  path: '/admin/users',
  staticData: { title: 'users.title' },
  validateSearch: searchOf({ ...tableSearch, state: oneOf(userStates) }),
  component: lazyScreen(() => import('../admin/Users.tsx'), 'Users'),
})

const user = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/users/$userId',
  loader: ({ params: { userId } }) =>
    Promise.all([
      queries.admin.getUser.prefetch({ userId }),
      queries.admin.userDetails.prefetch({ userId }),
      queries.admin.userSessions.prefetch({ userId }),
      queries.admin.userMetadata.prefetch({ userId }),
    ]),
  component: lazyScreen(() => import('../admin/User.tsx'), 'User'),
})

const clients = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/clients',
  staticData: { title: 'clients.title' },
  component: lazyScreen(() => import('../admin/Clients.tsx'), 'Clients'),
})

const apiKeys = createRoute({
  ...administrationRoute,
  path: '/admin/api-keys',
  staticData: { title: 'common.apiKeys' },
  validateSearch: searchOf(tableSearch),
  component: lazyScreen(() => import('../admin/AllApiKeys.tsx'), 'AllApiKeys'),
})

const webhooks = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/webhooks',
  staticData: { title: 'webhooks.title' },
  component: lazyScreen(() => import('../admin/Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  ...wideAdministrationRoute,
  path: '/admin/webhooks/$endpointId',
  component: lazyScreen(() => import('../admin/Webhook.tsx'), 'WebhookPage'),
})

/** Without it, an unknown address would show the overview. */
const unknown = createRoute({
  ...administrationRoute,
  path: '/admin/$name',
  component: lazyScreen(() => import('../ui/PageStates.tsx'), 'PageNotFound'),
})

/** Screens for administrators of the installation. */
export const adminRoutes = administration.addChildren([
  overview,
  adminPayments,
  adminPayment,
  organizations,
  adminOrganization,
  events,
  mails,
  system,
  users,
  user,
  clients,
  apiKeys,
  webhooks,
  webhook,
  unknown,
])
