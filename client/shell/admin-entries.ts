import {
  BuildingIcon,
  CardIcon,
  CodeIcon,
  EnvelopeIcon,
  HomeIcon,
  KeyIcon,
  ListIcon,
  PeopleIcon,
  ShieldIcon,
  WebhookIcon,
} from '../ui/icons.tsx'

/**
 * The screens for administrators of the installation, in the navigation and the command palette. `name` is the key of a
 * text.
 */
export const adminEntries = [
  { to: '/admin', name: 'operation.overview', Icon: HomeIcon },
  { to: '/admin/users', name: 'users.title', Icon: PeopleIcon },
  { to: '/admin/organizations', name: 'operation.organizations', Icon: BuildingIcon },
  { to: '/admin/payments', name: 'operation.payments', Icon: CardIcon },
  { to: '/admin/events', name: 'operation.events', Icon: ListIcon },
  { to: '/admin/mails', name: 'operation.mails', Icon: EnvelopeIcon },
  { to: '/admin/clients', name: 'clients.title', Icon: KeyIcon },
  { to: '/admin/api-keys', name: 'apiKeys.title', Icon: CodeIcon },
  { to: '/admin/webhooks', name: 'webhooks.title', Icon: WebhookIcon },
  { to: '/admin/system', name: 'operation.system', Icon: ShieldIcon },
] as const
