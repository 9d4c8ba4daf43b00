import { createRoute } from '@tanstack/react-router'
import { listedStatuses } from '../../shared/invitation-status.ts'
import { queries } from '../api/client.ts'
import { flag, oneOf, searchOf, tableSearch, text } from '../ui/search.ts'
import { lazyScreen } from './lazy-screen.ts'
import { loadBilling } from './load-billing.ts'
import { eventSearch, sectionRoute, shellRoute, tableRoute } from './shell-route.tsx'

const organization = createRoute({
  ...tableRoute,
  path: '/o/$slug',
  loader: ({ params }) => queries.organization.get.ensureData({ slug: params.slug }),
  component: lazyScreen(() => import('../organization/OrganizationLayout.tsx'), 'OrganizationLayout'),
  errorComponent: lazyScreen(() => import('../organization/OrganizationLayout.tsx'), 'OrganizationUnavailable'),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/',
  validateSearch: searchOf({ ...tableSearch, role: text, team: text }),
  component: lazyScreen(() => import('../organization/Members.tsx'), 'Members'),
})

const invitations = createRoute({
  getParentRoute: () => organization,
  path: '/invitations',
  validateSearch: searchOf({ ...tableSearch, status: oneOf(listedStatuses), invite: flag }),
  component: lazyScreen(() => import('../invitation/Invitations.tsx'), 'Invitations'),
})

const teams = createRoute({
  getParentRoute: () => organization,
  path: '/teams',
  component: lazyScreen(() => import('../team/Teams.tsx'), 'Teams'),
})

const loadSettings = () => import('../organization/OrganizationSettings.tsx')

const organizationSettings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyScreen(loadSettings, 'OrganizationSettings'),
})

const settingsRoute = {
  getParentRoute: () => organizationSettings,
  ...sectionRoute,
} as const

const generalSettings = createRoute({
  ...settingsRoute,
  path: '/',
  component: lazyScreen(loadSettings, 'GeneralSettings'),
})

const securitySettings = createRoute({
  ...settingsRoute,
  path: '/security',
  component: lazyScreen(loadSettings, 'OrganizationSecurity'),
})

const apiKeySettings = createRoute({
  ...settingsRoute,
  path: '/api-keys',
  component: lazyScreen(loadSettings, 'OrganizationApiKeys'),
})

const dangerSettings = createRoute({
  ...settingsRoute,
  path: '/danger',
  component: lazyScreen(loadSettings, 'DangerSettings'),
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/activity',
  validateSearch: eventSearch,
  component: lazyScreen(() => import('../event/Activity.tsx'), 'AuditLog'),
})

const organizationBilling = createRoute({
  ...shellRoute,
  getParentRoute: () => organization,
  path: '/billing',
  staticData: { title: 'billing.title' },
  validateSearch: searchOf({ ...tableSearch, status: text }),
  loader: async ({ params }) => {
    const organization = await queries.organization.get.ensureData({ slug: params.slug })
    await loadBilling({ organizationId: organization.id })
  },
  component: lazyScreen(() => import('../payment/Billing.tsx'), 'OrganizationBilling'),
})

export const newOrganization = createRoute({
  ...shellRoute,
  path: '/organizations/new',
  component: lazyScreen(() => import('../organization/CreateOrganization.tsx'), 'CreateOrganization'),
})

/** Screens of one organization. */
export const organizationRoutes = organization.addChildren([
  members,
  invitations,
  teams,
  organizationSettings.addChildren([generalSettings, securitySettings, apiKeySettings, dangerSettings]),
  auditLog,
  organizationBilling,
])
