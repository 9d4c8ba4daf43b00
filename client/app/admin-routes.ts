import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paymentFilters } from '../../shared/payment-filter.ts'
import { userStates } from '../admin/user-states.ts'
import { oneOf, searchOf, tableSearch, textUpTo } from './search.ts'
import { eventSearch, shellRoute } from './shell-route.tsx'
import { queries } from './trpc.ts'

/** Pathless route around the screens of administrators, who need a second factor. */
const administration = createRoute({
  ...shellRoute,
  id: 'administration',
  loader: () => queries.twoFactor.status.ensureData(),
  component: lazyRouteComponent(() => import('../two-factor/AdministrationGate.tsx'), 'AdministrationGate'),
})

const administrationRoute = { ...shellRoute, getParentRoute: () => administration } as const

const overview = createRoute({
  ...administrationRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('../admin/Overview.tsx'), 'Overview'),
})

const adminPayments = createRoute({
  ...administrationRoute,
  path: '/admin/payments',
  validateSearch: searchOf({ ...tableSearch, status: oneOf(paymentFilters) }),
  component: lazyRouteComponent(() => import('../admin/AdminPayments.tsx'), 'AdminPayments'),
})

const organizations = createRoute({
  ...administrationRoute,
  path: '/admin/organizations',
  validateSearch: searchOf(tableSearch),
  component: lazyRouteComponent(() => import('../admin/Organizations.tsx'), 'Organizations'),
})

const adminOrganization = createRoute({
  ...administrationRoute,
  path: '/admin/organizations/$organizationId',
  validateSearch: searchOf({ ...tableSearch, role: textUpTo(20) }),
  component: lazyRouteComponent(() => import('../admin/Organization.tsx'), 'Organization'),
})

const events = createRoute({
  ...administrationRoute,
  path: '/admin/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('../admin/Events.tsx'), 'Events'),
})

const mails = createRoute({
  ...administrationRoute,
  path: '/admin/mails',
  component: lazyRouteComponent(() => import('../admin/Mails.tsx'), 'Mails'),
})

const system = createRoute({
  ...administrationRoute,
  path: '/admin/system',
  component: lazyRouteComponent(() => import('../admin/System.tsx'), 'System'),
})

const users = createRoute({
  ...administrationRoute,
  path: '/admin/users',
  validateSearch: searchOf({ ...tableSearch, state: oneOf(userStates) }),
  component: lazyRouteComponent(() => import('../admin/Users.tsx'), 'Users'),
})

const user = createRoute({
  ...administrationRoute,
  path: '/admin/users/$userId',
  component: lazyRouteComponent(() => import('../admin/User.tsx'), 'User'),
})

const clients = createRoute({
  ...administrationRoute,
  path: '/admin/clients',
  component: lazyRouteComponent(() => import('../admin/Clients.tsx'), 'Clients'),
})

const apiKeys = createRoute({
  ...administrationRoute,
  path: '/admin/api-keys',
  validateSearch: searchOf(tableSearch),
  component: lazyRouteComponent(() => import('../admin/AllApiKeys.tsx'), 'AllApiKeys'),
})

const webhooks = createRoute({
  ...administrationRoute,
  path: '/admin/webhooks',
  component: lazyRouteComponent(() => import('../admin/Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  ...administrationRoute,
  path: '/admin/webhooks/$endpointId',
  component: lazyRouteComponent(() => import('../admin/Webhook.tsx'), 'WebhookPage'),
})

/** Screens for administrators of the installation. */
export const adminRoutes = administration.addChildren([
  overview,
  adminPayments,
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
])
