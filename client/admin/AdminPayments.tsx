import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import { AllPayments } from './AllPayments.tsx'
import { Disputes } from './Disputes.tsx'
import { Revenue } from './Revenue.tsx'
import { UnassignedEvents } from './UnassignedEvents.tsx'

/** Payments of this installation: unassigned events, revenue, all payments, disputes. */
export function AdminPayments() {
  const { t } = useTranslation()
  return (
    <Page title={t('installation.payments')} isWide>
      <UnassignedEvents />
      <Revenue />
      <AllPayments />
      <Disputes />
    </Page>
  )
}
