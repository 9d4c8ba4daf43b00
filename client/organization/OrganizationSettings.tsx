import { useTranslation } from 'react-i18next'
import { Frame } from '../ui/Frame.tsx'
import { useOrganization } from './current.ts'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { General } from './General.tsx'
import { Leave } from './Leave.tsx'
import { Transfer } from './Transfer.tsx'

/** Everything about an organization itself: what only owners may do stands only before owners. */
export function OrganizationSettings() {
  const { t } = useTranslation()
  const { may, isMineToOwn, organization } = useOrganization()
  return (
    <Frame title={t('menu.organization')}>
      <General key={organization.id} />
      {isMineToOwn && <Transfer />}
      <Leave />
      {may('organization', 'delete') && <DeleteOrganization />}
    </Frame>
  )
}
