import { Menu } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { PaymentTools } from '../payment/PaymentTools.tsx'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Section } from '../ui/Section.tsx'
import { tableState } from '../ui/table-state.ts'
import { EmptyResult } from '../ui/TableControls.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { PaymentTags } from './PaymentTags.tsx'
import { mayRefund, RefundPayment } from './RefundPayment.tsx'

type PaymentRow = Outputs['admin']['payments']['payments'][number]

/** Payments of all owners: searched, filtered by status, sorted, page by page. They can be refunded. */
export function AllPayments() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/shell/administration/admin/payments' })
  const { q = '', status } = search
  const navigate = useNavigate({ from: '/admin/payments' })
  const { queryInput, setFilters, setSearch, sorting, pagingOf } = tableState({
    search,
    sorts: ['date'],
    descending: true,
    onChange: (changed, isTyped) =>
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped, resetScroll: false }),
  })
  const { sort: _date, ...paging } = queryInput
  const [selected, setSelected] = useState<PaymentRow>()
  const list = trpc.admin.payments.useQuery(
    { ...paging, search: q, ...(status && { status }) },
    { placeholderData: keepPreviousData },
  )
  const columns = useColumns(setSelected)
  return (
    <Section isBare {...(list.error && !list.data && { title: t('admin.allPayments') })}>
      <DataTable<PaymentRow>
        label={t('admin.allPayments')}
        columns={columns}
        rows={list.data?.payments}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        sorting={sorting}
        toolbar={
          <PaymentTools label={t('admin.searchPayments')} search={search} onFind={setSearch} onFilter={setFilters} />
        }
        empty={
          <EmptyResult
            text={t('admin.noPayments')}
            isFiltered={q !== '' || status !== undefined}
            onClear={() => setFilters({ q: undefined, status: undefined })}
          />
        }
        paging={pagingOf(list.data?.total)}
      />
      {selected && <RefundPayment payment={selected} onClose={() => setSelected(undefined)} />}
    </Section>
  )
}

function useColumns(onRefund: (payment: PaymentRow) => void): Column<PaymentRow>[] {
  const { t } = useTranslation()
  const money = useMoney()
  const dateFormat = useDateFormat()
  return [
    { id: 'customer', head: t('admin.customer'), cell: ({ email }) => email ?? '—' },
    {
      id: 'status',
      head: t('common.status'),
      cell: (payment) => <PaymentTags payment={payment} />,
    },
    { id: 'date', head: t('common.date'), sorts: 'descending', cell: ({ createdAt }) => dateFormat.short(createdAt) },
    {
      id: 'amount',
      head: t('common.amount'),
      cell: ({ amount, currency }) => money(amount, currency),
    },
    {
      id: 'payment',
      head: t('admin.payment'),
      cell: ({ id }) => (
        <AnchorLink to="/admin/payments/$paymentId" params={{ paymentId: id }}>
          <code>{id}</code>
        </AnchorLink>
      ),
    },
    {
      id: 'actions',
      head: '',
      cell: (payment) =>
        mayRefund(payment) && (
          <ActionsMenu name={payment.id}>
            <Menu.Item onClick={() => onRefund(payment)}>{t('admin.refund')}</Menu.Item>
          </ActionsMenu>
        ),
    },
  ]
}
