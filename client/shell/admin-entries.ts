import {
  BuildingIcon,
  ChartIcon,
  CodeIcon,
  KeyIcon,
  PulseIcon,
  ReceiptIcon,
  SendIcon,
  ShieldIcon,
  UserIcon,
  WebhookIcon,
} from '../ui/screen-icons.tsx'

/**
 * The screens for administrators of the installation, in the navigation and the command palette. `name` is the key of a
 * text.
 */
export const adminEntries = [
  { to: '/admin', name: 'installation.overview', Icon: ChartIcon },
  { to: '/admin/users', name: 'users.title', Icon: UserIcon },
  { to: '/admin/organizations', name: 'installation.organizations', Icon: BuildingIcon },
  { to: '/admin/payments', name: 'installation.payments', Icon: ReceiptIcon },
  { to: '/admin/events', name: 'installation.events', Icon: PulseIcon },
  { to: '/admin/mails', name: 'installation.mails', Icon: SendIcon },
  { to: '/admin/clients', name: 'clients.title', Icon: KeyIcon },
  { to: '/admin/api-keys', name: 'common.apiKeys', Icon: CodeIcon },
  { to: '/admin/webhooks', name: 'webhooks.title', Icon: WebhookIcon },
  { to: '/admin/system', name: 'installation.system', Icon: ShieldIcon },
] as const
