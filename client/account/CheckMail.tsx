import { Button, Group, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { webmailUrlOf } from '../../shared/webmail.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { verifiedTarget } from '../session/verified-target.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useNext, withNext } from '../ui/next.ts'

/** Seconds until the link can be requested again: the server allows three requests per minute. */
const pauseSeconds = 30

export function CheckMail() {
  const { t } = useTranslation()
  const { email = '', reason } = useSearch({ from: '/check-mail' })
  const next = useNext()
  const [options] = trpc.session.options.useSuspenseQuery()
  const [seconds, restart] = useCountdown(pauseSeconds)
  const resend = trpc.account.sendVerificationEmail.useMutation({ onSuccess: restart })
  const isWaiting = seconds > 0
  const mailbox = options.hasDevMailbox ? undefined : webmailUrlOf(email)

  return (
    <AuthLayout
      title={t('checkMail.title')}
      description={t(reason === 'unverified' ? 'checkMail.unverified' : 'checkMail.description', { email })}
      footer={
        <AnchorLink to="/sign-up" search={withNext(next)}>
          {t('checkMail.otherEmail')}
        </AnchorLink>
      }
    >
      <Stack gap="md">
        {options.hasDevMailbox && (
          <Button component="a" href={`/dev/mail?to=${encodeURIComponent(email)}`} variant="filled" fullWidth>
            {t('checkMail.mailbox')}
          </Button>
        )}
        {mailbox !== undefined && (
          <Button component="a" href={mailbox} target="_blank" rel="noreferrer" fullWidth>
            {t('checkMail.open')}
          </Button>
        )}
        <Text c="dimmed">{t('checkMail.notReceived')}</Text>
        {options.verificationEmail && (
          <Group gap="sm">
            <Button
              variant="default"
              disabled={isWaiting}
              loading={resend.isPending}
              onClick={() => resend.mutate({ email, callbackURL: verifiedTarget(email, next) })}
            >
              {isWaiting ? t('checkMail.wait', { seconds }) : t('checkMail.resend')}
            </Button>
            <Text component="output" display="block" c="var(--good)" fz="sm">
              {resend.isSuccess ? t('checkMail.resent') : ''}
            </Text>
          </Group>
        )}
        <ErrorMessage error={resend.error} />
      </Stack>
    </AuthLayout>
  )
}

/** Remaining seconds, and a function that restarts the countdown. */
function useCountdown(from: number): [number, () => void] {
  const [seconds, setSeconds] = useState(from)
  useEffect(() => {
    if (seconds === 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, () => setSeconds(from)]
}
