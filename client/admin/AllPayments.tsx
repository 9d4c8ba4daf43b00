import { Button, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { useMoney } from '../payment/money.ts'
import { usePaymentStatus } from '../payment/payment-status.ts'
import { useReauthentication } from '../session/Reauthenticate.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'

type PaymentRow = Outputs['admin']['payments'][number]

const pageSize = 25

/** Payments of all owners, with search and refund. */
export function AllPayments() {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePaymentStatus()
  const moment = useDateFormat()
  const { guard, dialog } = useReauthentication()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const [selected, setSelected] = useState<PaymentRow>()
  const [done, setDone] = useState('')
  const list = trpc.admin.payments.useInfiniteQuery(
    { search, limit: pageSize },
    { getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined) },
  )
  const refund = trpc.admin.refund.useMutation({
    onSuccess: () => {
      setDone(t('admin.refundStarted'))
      setSelected(undefined)
    },
    onError: (error, sent) => guard(error, () => refund.mutate(sent)),
  })
  const payments = list.data?.pages.flat() ?? []
  return (
    <Section title={t('admin.allPayments')}>
      <TextInput
        type="search"
        mb="md"
        aria-label={t('admin.searchPayments')}
        placeholder={t('admin.searchPayments')}
        value={typed}
        maxLength={254}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <PagedList list={list} isEmpty={payments.length === 0} empty={t('admin.noPayments')}>
        <Rows>
          {payments.map((payment) => (
            <Row
              key={payment.id}
              name={<span className="numbers">{money(payment.amount, payment.currency)}</span>}
              note={[
                payment.email,
                nameOf(payment.status),
                moment.day(payment.createdAt),
                payment.refunded > 0 && t('billing.refunded', { amount: money(payment.refunded, payment.currency) }),
                payment.id,
              ]
                .filter(Boolean)
                .join(' · ')}
              action={
                payment.status === 'succeeded' &&
                payment.refunded === 0 && (
                  <Button
                    size="sm"
                    variant="default"
                    aria-label={t('admin.refundOf', { id: payment.id })}
                    onClick={() => setSelected(payment)}
                  >
                    {t('admin.refund')}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      </PagedList>
      <Text component="output" display="block" c="var(--good)">
        {done}
      </Text>
      {selected && dialog === null && (
        <Confirm
          title={t('admin.refundTitle', { amount: money(selected.amount, selected.currency) })}
          lead={t('admin.refundLead')}
          action={t('admin.refund')}
          isPending={refund.isPending}
          error={refund.error}
          onConfirm={() => refund.mutate({ paymentId: selected.id })}
          onClose={() => setSelected(undefined)}
        />
      )}
      {dialog}
    </Section>
  )
}
