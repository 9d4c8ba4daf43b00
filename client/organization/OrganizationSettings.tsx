import { useTranslation } from 'react-i18next'
import { ApiKeys } from '../api-key/ApiKeys.tsx'
import { Page } from '../ui/Page.tsx'
import { useOrganization } from './current-organization.ts'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { FactorPolicy } from './FactorPolicy.tsx'
import { General } from './General.tsx'
import { LeaveOrganization } from './LeaveOrganization.tsx'
import { TransferOwnership } from './TransferOwnership.tsx'

/** Settings of an organization. Owner-only sections are rendered for owners only. */
export function OrganizationSettings() {
  const { t } = useTranslation()
  const { may, isOwnedByUser, organization } = useOrganization()
  return (
    <Page title={t('menu.organization')}>
      <General key={organization.id} />
      {may('organization', 'update') && <FactorPolicy key={`policy-${organization.id}`} />}
      {may('organization', 'update') && <ApiKeys organizationId={organization.id} />}
      {isOwnedByUser && <TransferOwnership />}
      <LeaveOrganization />
      {may('organization', 'delete') && <DeleteOrganization />}
    </Page>
  )
}
