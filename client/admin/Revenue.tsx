import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AmountsByMonth } from '../payment/AmountsByMonth.tsx'
import { useMoney } from '../payment/money.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Section } from '../ui/Section.tsx'
import { Tiles } from '../ui/Tiles.tsx'

/** Recurring revenue, subscriptions and failed payments of this installation, and revenue by month. */
export function Revenue() {
  const { t } = useTranslation()
  const money = useMoney()
  const { data: figures, error } = trpc.admin.revenue.useQuery()
  return (
    <>
      {figures && (
        <>
          <Tiles
            tiles={[
              {
                label: t('admin.recurringRevenue'),
                value: figures.recurring.map(({ amount, currency }) => money(amount, currency)).join(' · ') || '—',
              },
              { label: t('admin.ongoingSubscriptions'), value: figures.activeOrPastDue },
              { label: t('admin.canceledRecently'), value: figures.endedRecently },
              {
                label: t('admin.failedRecently'),
                value: figures.failedRecently,
                isAlarming: figures.failedRecently > 0,
              },
            ]}
          />
          {figures.months.length > 0 && (
            <Section title={t('admin.revenue')}>
              <AmountsByMonth months={figures.months} />
            </Section>
          )}
        </>
      )}
      <ErrorMessage error={error} />
    </>
  )
}
