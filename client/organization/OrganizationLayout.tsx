import { Outlet, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refusalOf } from '../api/call-errors.ts'
import { queries } from '../api/client.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { RequireSecondFactor } from '../two-factor/RequireSecondFactor.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { PageError } from '../ui/PageStates.tsx'
import { useOrganization } from './current-organization.ts'
import classes from './FactorNotice.module.css'

/**
 * The organization is identified by the URL. Opening its screens updates the session's active organization; two tabs
 * with different organizations do not interfere, because every call passes its organization explicitly.
 */
export function OrganizationLayout() {
  const { organization } = useOrganization()
  const { mutate } = trpc.organization.setActive.useMutation()
  useEffect(() => {
    const session = queries.session.get.getData()?.session
    if (session?.activeOrganizationId !== organization.id) mutate({ organizationId: organization.id })
  }, [organization.id, mutate])
  return (
    // Remounts for another organization: no rows, selection or open dialogs are kept.
    <div className={classes.layout} key={organization.id}>
      <FactorNotice />
      <Outlet />
    </div>
  )
}

/** Shows members without a second factor, on every screen of the organization, when it becomes required. */
function FactorNotice() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const {
    organization: { secondFactorFrom },
  } = useOrganization()
  const status = trpc.twoFactor.status.useQuery(undefined, { enabled: secondFactorFrom !== null })
  if (secondFactorFrom === null || status.data?.isConfirmed !== false) return null
  return (
    <p className={classes.notice}>
      {t('policy.notice', { day: dateFormat.day(secondFactorFrom) })}{' '}
      <AnchorLink to="/settings/security">{t('twoFactor.toSecurity')}</AnchorLink>
    </p>
  )
}

/** Shown when the organization does not exist or the user is not a member. */
export function OrganizationUnavailable(props: ErrorComponentProps) {
  const { t } = useTranslation()
  const email = queries.session.get.getData()?.user.email ?? ''
  const { invalidate } = useRouter()
  const refusal = refusalOf(props.error)
  if (refusal === 'SECOND_FACTOR_REQUIRED')
    return <RequireSecondFactor reason={t('twoFactor.requiredByOrganization')} onConfirmed={() => void invalidate()} />
  if (refusal !== 'NOT_A_MEMBER_FORBIDDEN') return <PageError {...props} />
  return (
    <Page title={t('organization.foreignTitle')}>
      <p>{t('organization.foreign', { email })}</p>
      <ButtonLink to="/">{t('common.toHome')}</ButtonLink>
    </Page>
  )
}
