import { Button, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import type { BillingScope } from './billing-scope.ts'

/** License keys: only the last characters are displayed, the full key is copied. Hidden when there are none. */
export function LicenseKeys({ scope }: { scope: BillingScope }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const clipboard = useClipboard({ timeout: 4000 })
  const stateOf = (status: string | null) =>
    status === 'active'
      ? t('billing.keyActive')
      : status === 'expired'
        ? t('billing.keyExpired')
        : status === 'disabled' && t('billing.keyDisabled')
  const [keys] = trpc.payment.licenseKeys.useSuspenseQuery(scope)
  if (keys.length === 0) return null
  return (
    <Section title={t('billing.keys')}>
      <Rows>
        {keys.map(({ id, key, createdAt, expiresAt, status }) => (
          <Row
            key={id}
            name={<code className="code">{`•••• ${key.slice(-4)}`}</code>}
            detail={[
              t('members.since', { day: dateFormat.day(createdAt) }),
              expiresAt !== null && t('billing.endsOn', { day: dateFormat.day(expiresAt) }),
              stateOf(status),
            ]
              .filter(Boolean)
              .join(' · ')}
            action={
              <Button
                size="sm"
                variant="default"
                aria-label={`${t('billing.copyKey')}: •••• ${key.slice(-4)}`}
                onClick={() => clipboard.copy(key)}
              >
                {t('billing.copyKey')}
              </Button>
            }
          />
        ))}
      </Rows>
      <Text component="output" c="var(--good)">
        {clipboard.copied ? t('billing.copied') : ''}
      </Text>
    </Section>
  )
}
