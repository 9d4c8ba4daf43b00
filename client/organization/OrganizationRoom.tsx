import { Outlet, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queries, refusalOf, trpc } from '../trpc.ts'
import { Door } from '../ui/Door.tsx'
import { Failure } from '../ui/Failure.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useOrganization } from './current.ts'

/**
 * The organization stands in the address; the session's active one follows when the room is entered, and only then: two tabs
 * on two organizations leave each other alone, because every call from here names its organization.
 */
export function OrganizationRoom() {
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
    <Door title={t('organization.foreignTitle')} lead={t('organization.foreign', { email })}>
      <ButtonLink to="/" fullWidth>
        {t('common.toStart')}
      </ButtonLink>
    </Door>
  )
}
