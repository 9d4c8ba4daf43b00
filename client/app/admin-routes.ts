import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { userStates } from '../admin/user-states.ts'
import { shellRoute } from './shell-route.tsx'
import { TableSearch } from './table-search.ts'

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

const apiKeys = createRoute({
  ...shellRoute,
  path: '/admin/api-keys',
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('../admin/AllApiKeys.tsx'), 'AllApiKeys'),
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

/** Screens for administrators of the installation. */
export const adminRoutes = [
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
] as const
