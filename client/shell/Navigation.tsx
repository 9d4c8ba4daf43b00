import { Link, useLocation } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { CardIcon, HomeIcon, SettingsIcon, ShieldIcon } from '../ui/screen-icons.tsx'
import { adminEntries } from './admin-entries.ts'
import { useLastOrganization } from './last-organization.ts'
import { organizationEntriesOf } from './organization-entries.ts'
import classes from './Navigation.module.css'

/** Links to the screens of the current organization, and to those of the user. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { slug, organization, isPending } = useLastOrganization()
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
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
          {organizationEntriesOf({ role: organization?.me.role ?? '', hasPayments }).map(
            ({ to, name, Icon, count }) => (
              <Link
                key={to}
                to={to}
                params={{ slug }}
                {...page}
                activeOptions={{ exact: to === '/o/$slug', includeSearch: false }}
              >
                <Icon />
                {t(name)}
                <Count of={count && organization?.counts[count]} />
              </Link>
            ),
          )}
        </>
      )}
      {isInAdministration && (
        <>
          <span className={classes.caption}>{t('common.administration')}</span>
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
        {t('common.mySettings')}
      </Link>
      {hasPayments && (
        <Link to="/billing" {...page}>
          <CardIcon />
          {t('billing.mine')}
        </Link>
      )}
      {isAdministrator && !isInAdministration && (
        <Link to="/admin" {...exactly}>
          <ShieldIcon />
          {t('common.administration')}
        </Link>
      )}
    </nav>
  )
}

/** A number next to an entry. Zero is not shown. */
function Count({ of }: { of: number | undefined }) {
  return of ? <span className={classes.count}>{of}</span> : null
}
