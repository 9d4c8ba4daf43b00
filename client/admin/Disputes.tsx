import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Section } from '../ui/Section.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { DisputeTag } from './DisputeTag.tsx'

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
  const dateFormat = useDateFormat()
  const money = useMoney()
  return [
    { id: 'customer', head: t('admin.customer'), cell: ({ email }) => email ?? '—' },
    {
      id: 'status',
      head: t('common.status'),
      cell: ({ status, remarks }) => (
        <>
          <DisputeTag status={status} /> {remarks}
        </>
      ),
    },
    { id: 'date', head: t('common.date'), cell: ({ createdAt }) => dateFormat.short(createdAt) },
    {
      id: 'amount',
      head: t('common.amount'),
      // A text, of which neither unit nor digits are documented: only the amount of the payment is recognized.
      cell: ({ amount, currency, payment }) =>
        payment && payment.currency === currency && String(payment.amount) === amount
          ? money(payment.amount, currency)
          : `${amount} ${currency}`,
    },
    {
      id: 'payment',
      head: t('admin.payment'),
      cell: ({ paymentId }) => (
        <AnchorLink to="/admin/payments/$paymentId" params={{ paymentId }}>
          <code>{paymentId}</code>
        </AnchorLink>
      ),
    },
  ]
}
