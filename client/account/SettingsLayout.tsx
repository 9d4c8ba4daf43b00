import { Alert, Anchor } from '@mantine/core'
import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { isLinkErrorCode, linkErrors } from '../../shared/errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useNext, withNext } from '../ui/next.ts'
import { SectionedPage } from '../ui/SectionedPage.tsx'

/** Settings of the account. */
export function SettingsLayout() {
  const { t } = useTranslation()
  const [options] = trpc.session.options.useSuspenseQuery()
  const { error } = useSearch({ from: '/shell/settings' })
  const [current] = trpc.session.get.useSuspenseQuery()
  // Administrators who act as a user can change nothing here. The list of events has only filters.
  const isActivity = useLocation({ select: ({ pathname }) => pathname.startsWith('/settings/activity') })
  const isReadOnly = typeof current?.session.impersonatedBy === 'string' && !isActivity
  const next = useNext()
  const search = withNext(next)
  // A failed emailed link redirects here with an error code in the query.
  const problem = error !== undefined && isLinkErrorCode(error) ? linkErrors[error] : undefined
  return (
    <SectionedPage
      title={t('common.mySettings')}
      back={
        next !== undefined && (
          <Anchor href={next} display="inline-block" mb="sm">
            {t('settings.backTo', { host: new URL(next, location.origin).host })}
          </Anchor>
        )
      }
      sections={[
        { name: t('settings.profile'), link: { to: '/settings', search } },
        { name: t('settings.security'), link: { to: '/settings/security', search } },
        { name: t('sessions.title'), link: { to: '/settings/sessions', search } },
        { name: t('settings.connectedApps'), link: { to: '/settings/connected-apps', search } },
        { name: t('common.apiKeys'), link: { to: '/settings/api-keys', search } },
        { name: t('common.activity'), link: { to: '/settings/activity', search } },
        ...(options.userDeletion
          ? [{ name: t('deleteAccount.title'), link: { to: '/settings/delete' as const, search } }]
          : []),
      ]}
    >
      {problem && (
        <Alert className="refused" variant="outline" color="danger" role="alert" mb="xl">
          {t(`refusal.${problem}`)}
        </Alert>
      )}
      {isReadOnly && (
        <Alert className="notice" variant="default" mb="xl">
          {t('settings.viewOnly')}
        </Alert>
      )}
      <fieldset className="plain-fieldset" role="presentation" disabled={isReadOnly}>
        <Outlet />
      </fieldset>
    </SectionedPage>
  )
}
