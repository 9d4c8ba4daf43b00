import { Outlet, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queries, refusalOf, trpc } from '../app/trpc.ts'
import { Page } from '../ui/Page.tsx'
import { PageFailure } from '../ui/ScreenStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useOrganization } from './current-organization.ts'

/**
 * The organization is identified by the URL. Opening its screens updates the session's active organization; two tabs with
 * different organizations do not interfere, because every call passes its organization explicitly.
 */
export function OrganizationLayout() {
  const { organization } = useOrganization()
  const { mutate } = trpc.organization.setActive.useMutation()
  useEffect(() => {
    const session = queries.session.get.getData()?.session
    if (session?.activeOrganizationId !== organization.id) mutate({ organizationId: organization.id })
  }, [organization.id, mutate])
  return <Outlet />
}

/** Shown when the organization does not exist or the user is not a member. */
export function OrganizationUnavailable(props: ErrorComponentProps) {
  const { t } = useTranslation()
  const email = queries.session.get.getData()?.user.email ?? ''
  if (refusalOf(props.error) !== 'READER_IS_NOT_A_MEMBER') return <PageFailure {...props} />
  return (
    <Page title={t('organization.foreignTitle')}>
      <p>{t('organization.foreign', { email })}</p>
      <ButtonLink to="/">{t('common.toHome')}</ButtonLink>
    </Page>
  )
}
