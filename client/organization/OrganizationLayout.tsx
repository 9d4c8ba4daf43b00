import { Outlet, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queries, refusalOf, trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Failure } from '../ui/ScreenStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useOrganization } from './current-organization.ts'

/**
 * The organization stands in the address; the session's active one follows when the room is entered, and only then: two tabs
 * on two organizations leave each other alone, because every call from here names its organization.
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

/** An organization that I am no member of, or that is none. */
export function ForeignOrganization(props: ErrorComponentProps) {
  const { t } = useTranslation()
  const email = queries.session.get.getData()?.user.email ?? ''
  if (refusalOf(props.error) !== 'READER_IS_NOT_A_MEMBER') return <Failure {...props} />
  return (
    <AuthLayout title={t('organization.foreignTitle')} lead={t('organization.foreign', { email })}>
      <ButtonLink to="/" fullWidth>
        {t('common.toHome')}
      </ButtonLink>
    </AuthLayout>
  )
}
