import { Loader, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ButtonLink } from '../ui/links.tsx'

/** Polling interval for the payment, and how long this page keeps polling. */
const pollIntervalMs = 2_000
const maxWaitMs = 30_000

/**
 * Landing page after the checkout. Query parameters are not trusted, since anyone can type them: the page polls until a
 * payment confirmed by a signed webhook arrives.
 */
export function BillingReturn() {
  const { t } = useTranslation()
  const { since = 0, organization, canceled } = useSearch({ from: '/billing/return' })
  const [isTimedOut, setTimedOut] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setTimedOut(true), maxWaitMs)
    return () => clearTimeout(timer)
  }, [])
  const payments = trpc.payment.payments.useQuery(
    { limit: 1, ...(organization !== undefined && { organizationId: organization }) },
    {
      refetchInterval: (query) => (newPaymentSince(query.state.data, since) || isTimedOut ? false : pollIntervalMs),
      staleTime: 0,
      enabled: canceled === undefined,
    },
  )
  const newest = newPaymentSince(payments.data, since)
  const back = useBillingLink(organization)
  const hasFailed = newest?.status === 'failed' || newest?.status === 'cancelled'
  const description = newest
    ? hasFailed
      ? t('billing.failedBanner')
      : t('billing.arrived')
    : isTimedOut
      ? t('billing.late')
      : t('billing.waiting')
  if (canceled !== undefined) {
    return (
      <AuthLayout title={t('billing.canceledTitle')} description={t('billing.canceledDescription')}>
        <ButtonLink {...back} fullWidth>
          {t('billing.toBilling')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('billing.returnTitle')} description={<output>{description}</output>}>
      <Stack gap="lg">
        {!newest && !isTimedOut && <Loader type="dots" />}
        <ButtonLink {...back} fullWidth variant={newest || isTimedOut ? 'filled' : 'default'}>
          {t('billing.toBilling')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}

/** The billing page on which the checkout was started: the organization's, or the user's own. */
function useBillingLink(organizationId: string | undefined) {
  const mine = trpc.organization.mine.useQuery(undefined, { enabled: organizationId !== undefined })
  const slug = mine.data?.find(({ id }) => id === organizationId)?.slug
  return slug === undefined ? ({ to: '/billing' } as const) : ({ to: '/o/$slug/billing', params: { slug } } as const)
}

/** The newest payment, if it was created after the checkout started and has a final status. */
function newPaymentSince(payments: { createdAt: string; status: string | null }[] | undefined, since: number) {
  const [newest] = payments ?? []
  const hasEnded = newest?.status === 'succeeded' || newest?.status === 'failed' || newest?.status === 'cancelled'
  return newest && hasEnded && new Date(newest.createdAt).getTime() > since ? newest : undefined
}
