import { can } from '../../shared/permissions.ts'
import { CardIcon, EnvelopeIcon, GearIcon, ListIcon, PeopleIcon, TeamIcon } from '../ui/screen-icons.tsx'

/**
 * The screens of an organization, in the navigation and the command palette. `name` is the key of a text, `count` that
 * of a number beside it; `needs` says who has the screen.
 */
const organizationEntries = [
  { to: '/o/$slug', name: 'members.title', Icon: PeopleIcon, count: 'members', needs: 'membership' },
  {
    to: '/o/$slug/invitations',
    name: 'invite.title',
    Icon: EnvelopeIcon,
    count: 'pendingInvitations',
    needs: 'membership',
  },
  { to: '/o/$slug/teams', name: 'teams.title', Icon: TeamIcon, count: 'teams', needs: 'membership' },
  { to: '/o/$slug/billing', name: 'billing.title', Icon: CardIcon, count: undefined, needs: 'payments' },
  { to: '/o/$slug/activity', name: 'activity.auditTitle', Icon: ListIcon, count: undefined, needs: 'management' },
  { to: '/o/$slug/settings', name: 'menu.settings', Icon: GearIcon, count: undefined, needs: 'membership' },
] as const

/** The screens that a member with this role has. */
export function organizationEntriesOf({ role, hasPayments }: { role: string; hasPayments: boolean }) {
  const mayManage = can(role, 'organization', 'update')
  return organizationEntries.filter(
    ({ needs }) => needs === 'membership' || (mayManage && (needs === 'management' || hasPayments)),
  )
}
