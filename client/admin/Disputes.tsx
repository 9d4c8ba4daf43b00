import { disputeStatuses } from '../../shared/payment.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Section } from '../ui/Section.tsx'
import { Tag, type Tone } from '../ui/Tag.tsx'
import { type Column } from '../ui/use-table-rows.ts'

type DisputeRow = Outputs['admin']['disputes'][number]

/** Disputes about payments, newest first. */
export function Disputes() {
  const { t } = useTranslation()
  const list = trpc.admin.disputes.useQuery()
  const columns = useColumns()
  return (
    <Section title={t('admin.disputes')} isBare>
      <DataTable<DisputeRow>
        label={t('admin.disputes')}
        columns={columns}
        rows={list.data}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        empty={t('admin.noDisputes')}
      />
    </Section>
  )
}

function useColumns(): Column<DisputeRow>[] {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const money = useMoney()
  const nameOf = (status: string | null) => {
    const known = disputeStatuses.find((name) => name === status)
    return known ? t(`admin.${known}`) : (status ?? '—')
  }
  return [
    { id: 'customer', head: t('admin.customer'), cell: ({ email }) => email ?? '—' },
    {
      id: 'payment',
      head: t('admin.payment'),
      cell: ({ paymentId, payment }) => (
        <>
          {payment && `${money(payment.amount, payment.currency)} `}
          <AnchorLink to="/admin/payments" search={{ q: paymentId }}>
            <code>{paymentId}</code>
          </AnchorLink>
        </>
      ),
    },
    {
      id: 'status',
      head: t('common.status'),
      cell: ({ status, remarks }) => (
        <>
          <Tag tone={toneOf(status)}>{nameOf(status)}</Tag> {remarks}
        </>
      ),
    },
    { id: 'date', head: t('common.date'), cell: ({ createdAt }) => moment.short(createdAt) },
    {
      id: 'amount',
      head: t('common.amount'),
      // A text, of which neither unit nor digits are documented: only the amount of the payment is recognized.
      cell: ({ amount, currency, payment }) =>
        payment && payment.currency === currency && String(payment.amount) === amount
          ? money(payment.amount, currency)
          : `${amount} ${currency}`,
    },
  ]
}

/** The color of a dispute's status. An open dispute needs a response. */
function toneOf(status: string | null): Tone {
  if (status === 'dispute_opened' || status === 'dispute_challenged') return 'attention'
  if (status === 'dispute_lost' || status === 'dispute_accepted') return 'bad'
  return status === 'dispute_won' ? 'good' : 'neutral'
}
