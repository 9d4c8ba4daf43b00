import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { usePaymentStatus } from '../payment/payment-status.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { Facts, Row, Rows, Section } from '../ui/Section.tsx'
import { Tag, type Tone } from '../ui/Tag.tsx'
import { AdminLoadError } from './AdminLoadError.tsx'
import { DisputeTag } from './DisputeTag.tsx'
import { PaymentTags } from './PaymentTags.tsx'
import { mayRefund, RefundPayment } from './RefundPayment.tsx'

type Details = Outputs['admin']['payment']

/** One payment, as administrators see it: its owner, why it failed, its refunds and disputes. */
export function Payment() {
  const { t } = useTranslation()
  const money = useMoney()
  const { paymentId } = useParams({ from: '/shell/administration/admin/payments/$paymentId' })
  const [isAsking, setAsking] = useState(false)
  const { data: payment, error, refetch } = trpc.admin.payment.useQuery({ paymentId })
  if (error && !payment) {
    return (
      <AdminLoadError
        title={t('admin.payment')}
        error={error}
        missing="PAYMENT_NOT_FOUND"
        list="/admin/payments"
        listName={t('admin.toPayments')}
        onTryAgain={() => void refetch()}
      />
    )
  }
  if (!payment) return <PageLoading isWide />
  return (
    <Page
      title={money(payment.amount, payment.currency)}
      description={
        <>
          {payment.email} <PaymentTags payment={payment} />
        </>
      }
      isWide
      actions={
        mayRefund(payment) && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('admin.refund')}
          </Button>
        )
      }
    >
      <PaymentFacts payment={payment} />
      <Refunds payment={payment} />
      <PaymentDisputes payment={payment} />
      {isAsking && <RefundPayment payment={payment} onClose={() => setAsking(false)} />}
    </Page>
  )
}

function PaymentFacts({ payment }: { payment: Details }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { owner, cardLastFour, errorMessage, errorCode, subscriptionId } = payment
  const failure = [errorMessage, errorCode].filter(Boolean).join(' · ')
  const facts: [string, ReactNode][] = [
    [t('admin.owner'), owner ? <OwnerLink key="owner" owner={owner} /> : t('admin.noOwner')],
    [t('common.date'), dateFormat.minute(payment.createdAt)],
    ...(failure === '' ? [] : ([[t('admin.failureReason'), failure]] satisfies [string, string][])),
    [t('admin.method'), cardLastFour === null ? '—' : t('billing.card', { digits: cardLastFour })],
    ...(subscriptionId === null
      ? []
      : ([[t('admin.subscription'), <code key="subscription">{subscriptionId}</code>]] satisfies [
          string,
          ReactNode,
        ][])),
    [t('admin.customer'), <code key="customer">{payment.customerId}</code>],
    [t('admin.payment'), <code key="id">{payment.id}</code>],
  ]
  return (
    <Section>
      <Facts facts={facts} />
    </Section>
  )
}

function OwnerLink({ owner: { kind, id, name } }: { owner: NonNullable<Details['owner']> }) {
  return kind === 'user' ? (
    <AnchorLink to="/admin/users/$userId" params={{ userId: id }}>
      {name}
    </AnchorLink>
  ) : (
    <AnchorLink to="/admin/organizations/$organizationId" params={{ organizationId: id }}>
      {name}
    </AnchorLink>
  )
}

function Refunds({ payment: { refunds, currency } }: { payment: Details }) {
  const { t } = useTranslation()
  const money = useMoney()
  const dateFormat = useDateFormat()
  const nameOf = usePaymentStatus()
  if (refunds.length === 0) return null
  const tagOf = (status: string | null): [Tone, string] => {
    if (status === 'succeeded') return ['good', t('billing.refundedShort')]
    return status === 'failed' ? ['bad', nameOf(status)] : ['attention', t('admin.refundPending')]
  }
  return (
    <Section title={t('admin.refunds')} isFlush>
      <Rows>
        {refunds.map(({ id, amount, status, reason, createdAt }) => {
          const [tone, name] = tagOf(status)
          return (
            <Row
              key={id}
              name={amount === null ? '—' : money(amount, currency)}
              detail={[dateFormat.minute(createdAt), reason, id].filter(Boolean).join(' · ')}
              action={<Tag tone={tone}>{name}</Tag>}
            />
          )
        })}
      </Rows>
    </Section>
  )
}

function PaymentDisputes({ payment: { disputes } }: { payment: Details }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  if (disputes.length === 0) return null
  return (
    <Section title={t('admin.disputes')} isFlush>
      <Rows>
        {disputes.map(({ id, status, remarks, createdAt }) => (
          <Row
            key={id}
            name={dateFormat.minute(createdAt)}
            detail={[remarks, id].filter(Boolean).join(' · ')}
            action={<DisputeTag status={status} />}
          />
        ))}
      </Rows>
    </Section>
  )
}
