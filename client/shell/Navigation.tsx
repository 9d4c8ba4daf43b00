import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { can } from '../../shared/permissions.ts'
import { trpc } from '../app/trpc.ts'
import {
  CardIcon,
  EnvelopeIcon,
  GearIcon,
  HomeIcon,
  ListIcon,
  PeopleIcon,
  SettingsIcon,
  ShieldIcon,
  TeamIcon,
} from '../ui/icons.tsx'
import { adminEntries } from './admin-entries.ts'
import { useLastOrganization } from './last-organization.ts'
import classes from './Navigation.module.css'

/** Links to the screens of the current organization, and to those of the user. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { slug, organization, isPending } = useLastOrganization()
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const mayManage = can(organization?.me.role ?? '', 'organization', 'update')
  const counts = organization?.counts
  const page = {
    className: classes.entry,
    activeProps: { 'aria-current': 'page' as const },
    ...(onNavigate && { onClick: onNavigate }),
  }
  const isAdministrator = current?.user.role === 'admin'
  // Its screens are many: they replace those of the organization while one of them is open.
  const isInAdministration = isAdministrator && (pathname === '/admin' || pathname.startsWith('/admin/'))
  const exactly = { ...page, activeOptions: { exact: true } }
  return (
    <nav aria-label={t('menu.sections')} className={classes.sections}>
      <Link to="/" {...exactly}>
        <HomeIcon />
        {t('menu.home')}
      </Link>
      {slug !== undefined && !isInAdministration && (organization || isPending) && (
        <>
          <span className={classes.caption}>{organization?.name}</span>
          <Link to="/o/$slug" params={{ slug }} {...exactly} activeOptions={{ exact: true, includeSearch: false }}>
            <PeopleIcon />
            {t('menu.members')}
            <Count of={counts?.members} />
          </Link>
          <Link to="/o/$slug/invitations" params={{ slug }} {...page}>
            <EnvelopeIcon />
            {t('menu.invitations')}
            <Count of={counts?.pendingInvitations} />
          </Link>
          <Link to="/o/$slug/teams" params={{ slug }} {...page}>
            <TeamIcon />
            {t('menu.teams')}
            <Count of={counts?.teams} />
          </Link>
          {hasPayments && mayManage && (
            <Link to="/o/$slug/billing" params={{ slug }} {...page}>
              <CardIcon />
              {t('menu.billing')}
            </Link>
          )}
          {mayManage && (
            <Link to="/o/$slug/activity" params={{ slug }} {...page}>
              <ListIcon />
              {t('activity.auditTitle')}
            </Link>
          )}
          <Link to="/o/$slug/settings" params={{ slug }} {...page}>
            <GearIcon />
            {t('menu.settings')}
          </Link>
        </>
      )}
      {isInAdministration && (
        <>
          <span className={classes.caption}>{t('menu.installation')}</span>
          {adminEntries.map(({ to, name, Icon }) => (
            <Link key={to} to={to} {...(to === '/admin' ? exactly : page)}>
              <Icon />
              {t(name)}
            </Link>
          ))}
        </>
      )}
      <span className={classes.caption}>{t('menu.you')}</span>
      <Link to="/settings" {...page}>
        <SettingsIcon />
        {t('menu.mySettings')}
      </Link>
      {hasPayments && (
        <Link to="/billing" {...page}>
          <CardIcon />
          {t('menu.myBilling')}
        </Link>
      )}
      {isAdministrator && !isInAdministration && (
        <Link to="/admin" {...exactly}>
          <ShieldIcon />
          {t('menu.installation')}
        </Link>
      )}
    </nav>
  )
}

/** A number next to an entry. Zero is not shown. */
function Count({ of }: { of: number | undefined }) {
  return of ? <span className={classes.count}>{of}</span> : null
}
