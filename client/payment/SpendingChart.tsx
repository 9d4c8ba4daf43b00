import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Section } from '../ui/Section.tsx'
import { AmountsByMonth } from './AmountsByMonth.tsx'
import type { BillingScope } from './billing-scope.ts'

/** An owner's spending per month. Hidden before the first payment. */
export function SpendingChart({ scope }: { scope: BillingScope }) {
  const { t } = useTranslation()
  const [months] = trpc.payment.months.useSuspenseQuery(scope)
  if (months.length === 0) return null
  return (
    <Section title={t('billing.byMonth')}>
      <AmountsByMonth months={months} />
    </Section>
  )
}
