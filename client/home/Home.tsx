import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { MyInvitations } from '../invitation/MyInvitations.tsx'
import { useTranslation } from '../language/translation.ts'
import { MyOrganizations } from '../organization/MyOrganizations.tsx'
import { verifiedTarget } from '../session/verified-target.ts'
import { closePasskeySuggestion, suggestsPasskey } from '../two-factor/passkey-suggestion.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { EnvelopeIcon, KeyIcon } from '../ui/screen-icons.tsx'
import { SessionEnded } from '../ui/ScreenStates.tsx'
import { Task, Tasks } from '../ui/Task.tsx'
import { toast } from '../ui/toast.tsx'

/** The user's pending tasks, and the organizations. */
export function Home() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [{ passwordReset }] = trpc.session.options.useSuspenseQuery()
  const [invitations] = trpc.invitation.mine.useSuspenseQuery()
  const accounts = trpc.account.listAccounts.useQuery()
  const suggestion = usePasskeySuggestion()
  if (!current) return <SessionEnded />
  const { user } = current
  const hasPassword = accounts.data?.some((one) => one.provider === 'credential') ?? true
  const needsPassword = passwordReset && !hasPassword
  const hasTasks = !user.emailVerified || needsPassword || invitations.length > 0 || suggestion.isShown
  return (
    <Page
      title={t('home.title', { name: user.name })}
      description={hasTasks ? t('home.waiting') : t('home.description')}
    >
      {hasTasks && (
        <Tasks>
          {!user.emailVerified && <VerifyEmail email={user.email} />}
          <MyInvitations />
          {needsPassword && (
            <Task
              icon={<KeyIcon />}
              title={t('home.setPassword')}
              detail={t('home.setPasswordDescription')}
              action={
                <ButtonLink to="/settings/security" size="sm" variant="default">
                  {t('home.setUp')}
                </ButtonLink>
              }
            />
          )}
          {suggestion.isShown && <PasskeySuggestion onClose={suggestion.close} />}
        </Tasks>
      )}
      <MyOrganizations />
    </Page>
  )
}

/** Whether to suggest a passkey: to users who have none, until they close it in this browser. */
function usePasskeySuggestion() {
  const [isClosed, setClosed] = useState(() => !suggestsPasskey())
  const passkeys = trpc.passkey.list.useQuery(undefined, { enabled: !isClosed })
  const close = () => {
    closePasskeySuggestion()
    setClosed(true)
  }
  return { isShown: !isClosed && passkeys.data?.length === 0, close }
}

function PasskeySuggestion({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Task
      icon={<KeyIcon />}
      title={t('home.passkey')}
      detail={t('home.passkeyDescription')}
      action={
        <Group gap="xs">
          <Button size="sm" variant="subtle" className="quiet-button" onClick={onClose}>
            {t('home.notNow')}
          </Button>
          <ButtonLink to="/settings/security" size="sm" variant="default">
            {t('passkeys.add')}
          </ButtonLink>
        </Group>
      }
    />
  )
}

function VerifyEmail({ email }: { email: string }): ReactNode {
  const { t } = useTranslation()
  const [{ verificationEmail }] = trpc.session.options.useSuspenseQuery()
  const [isSent, setSent] = useState(false)
  const resend = trpc.account.sendVerificationEmail.useMutation({
    onSuccess: () => {
      setSent(true)
      toast(t('checkMail.resent'))
    },
  })
  return (
    <Task
      icon={<EnvelopeIcon />}
      title={t('home.verify')}
      detail={t('home.verifyDescription', { email })}
      action={
        verificationEmail && (
          <Button
            size="sm"
            variant="default"
            loading={resend.isPending}
            disabled={isSent}
            onClick={() => resend.mutate({ email, callbackURL: verifiedTarget(email) })}
          >
            {t('checkMail.resend')}
          </Button>
        )
      }
      footer={<ErrorMessage error={resend.error} />}
    />
  )
}
