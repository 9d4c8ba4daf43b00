import { Loader, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** Polling interval for the payment, and how long this page keeps polling. */
const lookMs = 2_000
const patienceMs = 30_000

/**
 * Landing page after the checkout. Query parameters are not trusted, since anyone can type them: the page polls until a
 * payment confirmed by a signed webhook arrives.
 */
export function BillingReturn() {
  const { t } = useTranslation()
  const { since, organization } = useSearch({ from: '/billing/return' })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  const payments = trpc.payment.payments.useQuery(
    { limit: 1, ...(organization !== undefined && { organizationId: organization }) },
    { refetchInterval: (query) => (isFresh(query.state.data, since) || isLate ? false : lookMs), staleTime: 0 },
  )
  const newest = isFresh(payments.data, since)
  const hasFailed = newest?.status === 'failed' || newest?.status === 'cancelled'
  const lead = newest
    ? hasFailed
      ? t('billing.failedBanner')
      : t('billing.arrived')
    : isLate
      ? t('billing.late')
      : t('billing.waiting')
  return (
    <AuthLayout title={t('billing.returnTitle')} lead={<output>{lead}</output>}>
      <Stack gap="lg">
        {!newest && !isLate && <Loader type="dots" />}
        <ButtonLink to="/billing" fullWidth variant={newest || isLate ? 'filled' : 'default'}>
          {t('billing.toBilling')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}

/** The newest payment, if it was created after the checkout started and has a final status. */
function isFresh(payments: { createdAt: string; status: string | null }[] | undefined, since: number) {
  const [newest] = payments ?? []
  const hasEnded = newest?.status === 'succeeded' || newest?.status === 'failed' || newest?.status === 'cancelled'
  return newest && hasEnded && new Date(newest.createdAt).getTime() > since ? newest : undefined
}
