import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgain } from '../session/Again.tsx'
import { trpc } from '../trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { useMoment } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'

/** The ways to sign in; the last one cannot be unlinked, and says so. */
export function Accounts() {
  const { t } = useTranslation()
  const moment = useMoment()
  const { guard, dialog } = useAgain()
  const [accounts] = trpc.account.listAccounts.useSuspenseQuery()
  const unlink = trpc.account.unlink.useMutation({
    onError: (error, account) => guard(error, () => unlink.mutate(account)),
  })
  const isLast = accounts.length === 1
  return (
    <Section title={t('accounts.title')} why={t('accounts.why')}>
      <Rows>
        {accounts.map(({ id, provider, accountId, createdAt }) => (
          <Row
            key={id}
            name={provider === 'credential' ? t('field.password') : provider}
            note={t('accounts.since', { day: moment.day(createdAt) })}
            action={
              !isLast && (
                <Button
                  variant="default"
                  size="sm"
                  loading={unlink.isPending && unlink.variables.accountId === accountId}
                  onClick={() => unlink.mutate({ providerId: provider, accountId })}
                >
                  {t('accounts.unlink')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {isLast && (
        <Text c="dimmed" fz="sm" mt="sm">
          {t('refusal.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')}
        </Text>
      )}
      {dialog === null && <Refused error={unlink.error} />}
      {dialog}
    </Section>
  )
}
