import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'

/** Disputes about payments, newest first. */
export function Disputes() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const { data: disputes = [], isSuccess, error } = trpc.admin.disputes.useQuery()
  return (
    <Section title={t('admin.disputes')}>
      {isSuccess && disputes.length === 0 && <Text c="dimmed">{t('admin.none')}</Text>}
      <Rows>
        {disputes.map(({ id, paymentId, amount, currency, stage, status, remarks, createdAt }) => (
          <Row
            key={id}
            name={`${amount} ${currency}`}
            note={[status, stage, paymentId, moment.day(createdAt), remarks].filter(Boolean).join(' · ')}
          />
        ))}
      </Rows>
      <Refused error={error} />
    </Section>
  )
}
