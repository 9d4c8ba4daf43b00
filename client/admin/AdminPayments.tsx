import { useTranslation } from '../language/translation.ts'
import { Page } from '../ui/Page.tsx'
import { AllPayments } from './AllPayments.tsx'
import { Disputes } from './Disputes.tsx'
import { OpenPaymentEvents } from './OpenPaymentEvents.tsx'

/** Payments of this installation: payment events that need attention, if there are any, then all payments, and disputes. */
export function AdminPayments() {
  const { t } = useTranslation()
  return (
    <Page title={t('installation.payments')} isWide>
      <OpenPaymentEvents />
      <AllPayments />
      <Disputes />
    </Page>
  )
}
