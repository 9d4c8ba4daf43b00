import { Anchor } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paymentFilters } from '../../shared/payment-filter.ts'
import { paymentSorts } from '../../shared/payment.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { oneOf, searchOf, tableSearch } from '../ui/search.ts'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import type { BillingScope } from './billing-scope.ts'
import { invoiceOf } from './invoices.ts'
import { useMoney } from './money.ts'
import { toneOfPayment, usePaymentStatus } from './payment-status.ts'
import { PaymentTools } from './PaymentTools.tsx'
import { SelectedPayments } from './SelectedPayments.tsx'
import classes from './Payments.module.css'

type PaymentRow = Outputs['payment']['search']['payments'][number]

const readSearch = searchOf({ ...tableSearch, status: oneOf(paymentFilters) })

/** Payments with their invoices: searched, filtered by status, sorted, page by page. */
export function Payments({ scope, hasCheckout }: { scope: BillingScope; hasCheckout: boolean }) {
  const { t } = useTranslation()
  const search = readSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { q = '', status } = search
  const [selected, setSelected] = useState<string[]>([])
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: paymentSorts,
    descending: true,
    onChange: (changed, isTyped) => {
      setSelected([])
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...changed }), replace: isTyped })
    },
  })
  const found = trpc.payment.search.useQuery(
    { ...scope, ...queryInput, search: q, ...(status && { status }) },
    { placeholderData: keepPreviousData },
  )
  const dateFormat = useDateFormat()
  const columns = useColumns(hasCheckout)
  const isFiltered = q !== '' || status !== undefined
  return (
    <section>
      <h2 className={classes.title}>{t('billing.payments')}</h2>
      <DataTable<PaymentRow>
        label={t('billing.payments')}
        columns={columns}
        rows={found.data?.payments}
        rowId={({ id }) => id}
        error={found.error}
        onTryAgain={() => void found.refetch()}
        sorting={sorting}
        {...(hasCheckout && {
          selection: {
            ids: selected,
            onSelect: setSelected,
            nameOf: ({ createdAt }) => dateFormat.short(createdAt),
            isSelectable: ({ status }) => status === 'succeeded',
          },
        })}
        toolbar={
          <>
            <PaymentTools label={t('billing.search')} search={search} onFind={setSearch} onFilter={setFilters} />
            {selected.length > 0 && <SelectedPayments ids={selected} onDone={() => setSelected([])} />}
          </>
        }
        empty={
          <EmptyResult
            text={t(isFiltered ? 'common.nothingFound' : 'billing.noPayments')}
            isFiltered={isFiltered}
            onClear={() => setFilters({ q: undefined, status: undefined })}
          />
        }
        paging={pagingOf(found.data?.total)}
      />
    </section>
  )
}

function useColumns(hasCheckout: boolean): Column<PaymentRow>[] {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePaymentStatus()
  const dateFormat = useDateFormat()
  return [
    { id: 'date', head: t('common.date'), sorts: 'descending', cell: ({ createdAt }) => dateFormat.short(createdAt) },
    {
      id: 'method',
      head: t('billing.method'),
      cell: ({ cardLastFour }) => (cardLastFour === null ? '—' : t('billing.card', { digits: cardLastFour })),
    },
    {
      id: 'status',
      head: t('common.status'),
      cell: ({ status, refunded, currency }) => (
        <span className={classes.tags}>
          <Tag tone={toneOfPayment(status)}>{nameOf(status)}</Tag>
          {refunded > 0 && <Tag>{t('billing.refunded', { amount: money(refunded, currency) })}</Tag>}
        </span>
      ),
    },
    {
      id: 'amount',
      head: t('common.amount'),
      sorts: 'descending',
      cell: ({ amount, currency }) => money(amount, currency),
    },
    ...(hasCheckout
      ? [
          {
            id: 'documents',
            head: t('billing.documents'),
            cell: (row: PaymentRow) => (row.status === 'succeeded' ? <Documents payment={row} /> : '—'),
          },
        ]
      : []),
  ]
}

function Documents({ payment: { id, refunds } }: { payment: PaymentRow }) {
  const { t } = useTranslation()
  return (
    <span className={classes.tags}>
      <Anchor href={invoiceOf(id)}>{t('billing.invoice')}</Anchor>
      {refunds
        .filter((refund) => refund.status === 'succeeded')
        .map((refund) => (
          <Anchor key={refund.id} href={invoiceOf(id, refund.id)}>
            {t('billing.refundReceipt')}
          </Anchor>
        ))}
    </span>
  )
}
