import { Space } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { AmountsByMonth } from '../payment/AmountsByMonth.tsx'
import { useMoney } from '../payment/money.ts'
import { Refused } from '../ui/Form.tsx'
import { Facts, Section } from '../ui/Section.tsx'

/** Recurring revenue, subscriptions and failed payments of this instance, and revenue by month. */
export function Revenue() {
  const { t } = useTranslation()
  const money = useMoney()
  const { data: figures, error } = trpc.admin.revenue.useQuery()
  return (
    <Section title={t('admin.revenue')}>
      {figures && (
        <>
          <Facts
            facts={[
              [
                t('admin.recurringRevenue'),
                figures.recurring.map(({ amount, currency }) => money(amount, currency)).join(' · ') || '–',
              ],
              [t('admin.livingSubscriptions'), figures.living],
              [t('admin.canceledRecently'), figures.endedRecently],
              [t('admin.failedRecently'), figures.failedRecently],
            ]}
          />
          <Space h="lg" />
          <AmountsByMonth months={figures.months} />
        </>
      )}
      <Refused error={error} />
    </Section>
  )
}
