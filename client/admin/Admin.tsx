import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import { Administrators } from './Administrators.tsx'
import { AllPayments } from './AllPayments.tsx'
import { Disputes } from './Disputes.tsx'
import { Revenue } from './Revenue.tsx'
import { UnassignedEvents } from './UnassignedEvents.tsx'

/** Screen for administrators of this instance: unassigned events, revenue, payments, disputes, administrators. */
export function Admin() {
  const { t } = useTranslation()
  return (
    <Page title={t('menu.admin')}>
      <UnassignedEvents />
      <Revenue />
      <AllPayments />
      <Disputes />
      <Administrators />
    </Page>
  )
}
