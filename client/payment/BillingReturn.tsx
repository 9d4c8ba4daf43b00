import { Loader, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** How often the payments are looked at, and for how long one waits on this page. */
const lookMs = 2_000
const patienceMs = 30_000

/**
 * Back from the checkout. What stands in the address is display that anybody can type: only a payment that the provider has
 * signed for counts, and it is waited for here.
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

/** A payment since the checkout was begun that has come to an end. */
function isFresh(payments: { createdAt: string; status: string | null }[] | undefined, since: number) {
  const [newest] = payments ?? []
  const hasEnded = newest?.status === 'succeeded' || newest?.status === 'failed' || newest?.status === 'cancelled'
  return newest && hasEnded && new Date(newest.createdAt).getTime() > since ? newest : undefined
}
