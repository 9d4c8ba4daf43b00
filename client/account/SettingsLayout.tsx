import { Alert, Anchor } from '@mantine/core'
import { Link, Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isLinkErrorCode, linkErrors } from '../../shared/errors.ts'
import { useNext, withNext } from '../app/next.ts'
import { Heading } from '../ui/AuthLayout.tsx'
import { CardsLoading } from '../ui/ScreenStates.tsx'
import classes from './SettingsLayout.module.css'

/** Settings of the account: a sub-navigation, and one URL for each section. */
export function SettingsLayout() {
  const { t } = useTranslation()
  const { error } = useSearch({ from: '/shell/settings' })
  const next = useNext()
  // A failed emailed link redirects here with an error code in the query.
  const problem = error !== undefined && isLinkErrorCode(error) ? linkErrors[error] : undefined
  const sections = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the sections are a row that scrolls.
  useEffect(() => {
    const links = [...(sections.current?.querySelectorAll('a') ?? [])]
    links.find((link) => link.pathname === pathname)?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  const entry = {
    search: withNext(next),
    className: classes.entry,
    activeProps: { 'aria-current': 'page' as const },
    activeOptions: { exact: true, includeSearch: false },
  }
  return (
    <div className={classes.page}>
      {next !== undefined && (
        <Anchor href={next} className={classes.back}>
          {t('settings.backTo', { host: new URL(next, location.origin).host })}
        </Anchor>
      )}
      <Heading>{t('settings.title')}</Heading>
      <div className={classes.columns}>
        <nav ref={sections} className={classes.sections} aria-label={t('settings.sections')}>
          <Link to="/settings" {...entry}>
            {t('settings.profile')}
          </Link>
          <Link to="/settings/security" {...entry}>
            {t('settings.security')}
          </Link>
          <Link to="/settings/sessions" {...entry}>
            {t('sessions.title')}
          </Link>
          <Link to="/settings/connected-apps" {...entry}>
            {t('connectedApps.title')}
          </Link>
          <Link to="/settings/api-keys" {...entry}>
            {t('apiKeys.title')}
          </Link>
          <Link to="/settings/activity" {...entry}>
            {t('activity.title')}
          </Link>
          <Link to="/settings/delete" {...entry}>
            {t('deleteAccount.title')}
          </Link>
        </nav>
        <div className={classes.section}>
          {problem && (
            <Alert className="refused" variant="outline" color="danger" role="alert" mb="xl">
              {t(`refusal.${problem}`)}
            </Alert>
          )}
          <Suspense fallback={<CardsLoading />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
