import { Menu, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { toneOfPayment, usePaymentStatus } from '../payment/payment-status.ts'
import { PaymentTools } from '../payment/PaymentTools.tsx'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Facts, Section } from '../ui/Section.tsx'
import { tableOf } from '../ui/table-of.ts'
import { NoMatch } from '../ui/TableControls.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'

type PaymentRow = Outputs['admin']['payments']['payments'][number]

/** Payments of all owners: searched, filtered by status, sorted, page by page. They can be refunded. */
export function AllPayments() {
  const { t } = useTranslation()
  const money = useMoney()
  const moment = useDateFormat()
  const search = useSearch({ from: '/shell/administration/admin/payments' })
  const { q = '', status } = search
  const navigate = useNavigate({ from: '/admin/payments' })
  const { asked, show, find, sorting, pagingOf } = tableOf({
    search,
    sorts: ['date'],
    descending: true,
    onChange: (changed, isTyped) =>
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: isTyped, resetScroll: false }),
  })
  const { sort: _date, ...paging } = asked
  const [selected, setSelected] = useState<PaymentRow>()
  const list = trpc.admin.payments.useQuery(
    { ...paging, search: q, ...(status && { status }) },
    { placeholderData: keepPreviousData },
  )
  const refund = trpc.admin.refund.useMutation({
    onSuccess: () => {
      toast(t('admin.refundStarted'))
      setSelected(undefined)
    },
  })
  const columns = useColumns(setSelected)
  return (
    <Section isBare>
      <DataTable<PaymentRow>
        label={t('admin.allPayments')}
        columns={columns}
        rows={list.data?.payments}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        sorting={sorting}
        toolbar={<PaymentTools label={t('admin.searchPayments')} search={search} onFind={find} onFilter={show} />}
        empty={
          <NoMatch
            text={t('admin.noPayments')}
            isFiltered={q !== '' || status !== undefined}
            onClear={() => show({ q: undefined, status: undefined })}
          />
        }
        paging={pagingOf(list.data?.total)}
      />
      {selected && (
        <Confirm
          title={t('admin.refundTitle', { amount: money(selected.amount, selected.currency) })}
          lead={`${t('admin.refundLead')} ${t('admin.refundOnce')}`}
          details={
            <Facts
              facts={[
                [t('admin.customer'), selected.email ?? '—'],
                [t('common.date'), moment.day(selected.createdAt)],
                [t('admin.payment'), <code key="id">{selected.id}</code>],
              ]}
            />
          }
          action={t('admin.refund')}
          isPending={refund.isPending}
          error={refund.error}
          onConfirm={() => refund.mutate({ paymentId: selected.id })}
          onClose={() => setSelected(undefined)}
        />
      )}
    </Section>
  )
}

function useColumns(onRefund: (payment: PaymentRow) => void): Column<PaymentRow>[] {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePaymentStatus()
  const moment = useDateFormat()
  return [
    { id: 'customer', head: t('admin.customer'), cell: ({ email }) => email ?? '—' },
    {
      id: 'status',
      head: t('common.status'),
      cell: ({ status, refunded, currency, isRefunding, isDisputed }) => (
        <>
          <Tag tone={toneOfPayment(status)}>{nameOf(status)}</Tag>{' '}
          {isDisputed && <Tag tone="bad">{t('admin.disputed')}</Tag>}{' '}
          {isRefunding && <Tag tone="attention">{t('admin.refundPending')}</Tag>}{' '}
          {refunded > 0 && <Tag>{t('billing.refunded', { amount: money(refunded, currency) })}</Tag>}
        </>
      ),
    },
    { id: 'date', head: t('common.date'), sorts: 'descending', cell: ({ createdAt }) => moment.short(createdAt) },
    {
      id: 'amount',
      head: t('common.amount'),
      cell: ({ amount, currency }) => money(amount, currency),
    },
    {
      id: 'payment',
      head: t('admin.payment'),
      cell: ({ id }) => (
        <Text component="code" c="dimmed" fz="sm">
          {id}
        </Text>
      ),
    },
    {
      id: 'actions',
      head: '',
      cell: (payment) =>
        payment.status === 'succeeded' &&
        payment.refunded === 0 &&
        !payment.isRefunding &&
        !payment.isDisputed && (
          <ActionsMenu name={payment.id}>
            <Menu.Item onClick={() => onRefund(payment)}>{t('admin.refund')}</Menu.Item>
          </ActionsMenu>
        ),
    },
  ]
}
