import { Outlet } from '@tanstack/react-router'
import { ApiKeys } from '../api-key/ApiKeys.tsx'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { Section } from '../ui/Section.tsx'
import { SectionedPage } from '../ui/SectionedPage.tsx'
import { useOrganization } from './current-organization.ts'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { FactorPolicy } from './FactorPolicy.tsx'
import { General } from './General.tsx'
import { LeaveOrganization } from './LeaveOrganization.tsx'
import { NoPermission } from './NoPermission.tsx'
import { TransferOwnership } from './TransferOwnership.tsx'

/** Settings of an organization. Sections that a user may not change are not listed. */
export function OrganizationSettings() {
  const { t } = useTranslation()
  const { may, organization } = useOrganization()
  const params = { slug: organization.slug }
  return (
    <SectionedPage
      title={t('organization.title')}
      sections={[
        { name: t('organization.general'), link: { to: '/o/$slug/settings', params } },
        ...(may('organization', 'update')
          ? [
              { name: t('settings.security'), link: { to: '/o/$slug/settings/security' as const, params } },
              { name: t('common.apiKeys'), link: { to: '/o/$slug/settings/api-keys' as const, params } },
            ]
          : []),
        { name: t('organization.danger'), link: { to: '/o/$slug/settings/danger', params } },
      ]}
    >
      <Outlet />
    </SectionedPage>
  )
}

export function GeneralSettings() {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  return (
    <>
      <Title section={t('organization.general')} />
      <General key={organization.id} />
    </>
  )
}

export function OrganizationSecurity() {
  const { t } = useTranslation()
  const { may, organization } = useOrganization()
  return (
    <>
      <Title section={t('settings.security')} />
      {may('organization', 'update') ? <FactorPolicy key={organization.id} /> : <NoPermission />}
    </>
  )
}

export function OrganizationApiKeys() {
  const { t } = useTranslation()
  const { may, organization } = useOrganization()
  return (
    <>
      <Title section={t('common.apiKeys')} />
      {may('organization', 'update') ? <ApiKeys organizationId={organization.id} /> : <NoPermission />}
    </>
  )
}

/** Leaving, transferring and deleting the organization. */
export function DangerSettings() {
  const { t } = useTranslation()
  const { may, isOwnedByUser } = useOrganization()
  return (
    <>
      <Title section={t('organization.danger')} />
      <Section title={t('organization.danger')} isDangerous isFlush>
        <LeaveOrganization />
        {isOwnedByUser && <TransferOwnership />}
        {may('organization', 'delete') && <DeleteOrganization />}
      </Section>
    </>
  )
}

function Title({ section }: { section: string }) {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  return <title>{[section, t('organization.title'), organization.name, brand.product].join(' · ')}</title>
}
