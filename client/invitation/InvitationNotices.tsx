import { Button, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { trpc, type Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { usePathWithNext } from '../ui/next.ts'

// Shown by an invitation link instead of the invitation: it cannot be loaded, is no longer pending, or is for another
// user.

/** The invitation could not be loaded. Offers to retry. */
export function InvitationLoadError({ error, onTryAgain }: { error: unknown; onTryAgain: () => void }) {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('failure.title')}>
      <Stack gap="sm">
        <ErrorMessage error={error} />
        <Button fullWidth onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}

/** Signed in with another email address than the invited one. */
export function WrongRecipient({ description, id }: { description: string; id: string }) {
  const { t } = useTranslation()
  const next = usePathWithNext(`/invitation/${id}`)
  // A full page load, so that no data of the previous user stays in memory.
  const signOut = trpc.session.signOut.useMutation({ onSuccess: () => location.assign(next) })
  return (
    <AuthLayout title={t('invitation.otherTitle')} description={description}>
      <Stack gap="sm">
        <Button fullWidth loading={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
          {t('invitation.switch')}
        </Button>
        <ErrorMessage error={signOut.error} />
        <HomeButton />
      </Stack>
    </AuthLayout>
  )
}

/** Copied link, signed out. */
export function SignInFirst({ id }: { id: string }) {
  const { t } = useTranslation()
  const next = usePathWithNext(`/invitation/${id}`)
  return (
    <AuthLayout title={t('invitation.needTitle')} description={t('invitation.need')}>
      <Stack gap="sm">
        <ButtonLink to="/sign-in" search={{ next }} fullWidth>
          {t('common.signIn')}
        </ButtonLink>
        <ButtonLink to="/sign-up" search={{ next }} variant="default" fullWidth>
          {t('signIn.toSignUp')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}

/** Copied link, but the user's email address is unverified: offers to verify it. */
export function UnverifiedRecipient({ id, ownEmail }: { id: string; ownEmail: string }) {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('invitation.unverifiedTitle')} description={t('invitation.unverified')}>
      <SendVerification id={id} ownEmail={ownEmail} />
    </AuthLayout>
  )
}

export function SendVerification({ id, ownEmail }: { id: string; ownEmail: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const send = trpc.account.sendVerificationEmail.useMutation({
    onSuccess: () => void navigate({ to: '/check-mail', search: { email: ownEmail, reason: 'unverified' } }),
  })
  return (
    <Stack gap="sm">
      <Button
        fullWidth
        loading={send.isPending}
        onClick={() => send.mutate({ email: ownEmail, callbackURL: `/invitation/${id}` })}
      >
        {t('invitation.ownEmail')}
      </Button>
      <ErrorMessage error={send.error} />
      <HomeButton />
    </Stack>
  )
}

/** Shown for an invitation that is no longer pending, with the next step. */
export function ClosedInvitation({
  mailed,
  ownEmail,
}: {
  mailed: NonNullable<Outputs['invitation']['readByLink']>
  ownEmail: string | undefined
}) {
  const { t } = useTranslation()
  const { state, inviterName: inviter, organizationName: organization, organizationSlug: slug, email } = mailed
  if (state === 'accepted') {
    return (
      <AuthLayout title={t('invitation.usedTitle')} description={t('invitation.used', { email, organization })}>
        {ownEmail === email ? (
          <ButtonLink to="/o/$slug" params={{ slug }} fullWidth>
            {t('overview.open')}
          </ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" search={{ email, next: `/o/${slug}` }} fullWidth>
            {t('common.signIn')}
          </ButtonLink>
        )}
      </AuthLayout>
    )
  }
  const titles = {
    expired: t('invitation.expiredTitle'),
    canceled: t('invitation.canceledTitle'),
    rejected: t('invitation.rejectedTitle'),
    inviter_left: t('invitation.notFoundTitle'),
    pending: t('invitation.notFoundTitle'),
  }
  return (
    <AuthLayout title={titles[state]} description={t('invitation.requestNew', { inviter })}>
      <HomeButton />
    </AuthLayout>
  )
}

export function HomeButton() {
  const { t } = useTranslation()
  return (
    <ButtonLink to="/" variant="default" fullWidth>
      {t('common.toHome')}
    </ButtonLink>
  )
}
