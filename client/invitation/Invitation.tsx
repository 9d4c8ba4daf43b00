import { Button, Stack, Text } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../organization/Roles.tsx'
import { useNext, usePathWithNext } from '../app/next.ts'
import { refusalOf, trpc, type Outputs } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { Refused } from '../ui/Form.tsx'
import { useLinkSecret } from '../ui/link-secret.ts'
import { ButtonLink } from '../ui/links.tsx'
import { useNavigateTo } from '../ui/navigation.ts'
import classes from './Invitation.module.css'
import { ExistingAccount } from './ExistingAccount.tsx'
import { InvitationSignUp } from './InvitationSignUp.tsx'

type Mailed = NonNullable<Outputs['invitation']['read']>

/** Target of an invitation link, emailed (with a secret) or copied (without one). Offers the next step. */
export function Invitation() {
  const { id } = useParams({ from: '/invitation/$id' })
  const search = useSearch({ from: '/invitation/$id' })
  const secret = useLinkSecret(`invitation.${id}`, search.secret)
  const [session] = trpc.session.get.useSuspenseQuery()
  const { client } = trpc.useUtils()
  const mailed = useQuery({
    queryKey: ['mailed invitation', id, secret],
    queryFn: () => client.invitation.read.mutate({ id, secret: secret ?? '' }),
    enabled: secret !== undefined,
    retry: false,
  })
  if (secret !== undefined && mailed.isPending) return <LoadingScreen />
  if (mailed.isError) return <LoadError error={mailed.error} onResend={() => void mailed.refetch()} />
  if (secret !== undefined && mailed.data) {
    const mine = session?.user.email
    return <MailedInvitation id={id} secret={secret} mailed={mailed.data} mine={mine} />
  }
  if (!session) return <SignInFirst id={id} />
  return <CopiedInvitation id={id} mine={session.user.email} />
}

type MailedProps = { id: string; secret: string; mailed: Mailed; mine: string | undefined }

/** Emailed link: the secret gives access to the invitation without a session. */
function MailedInvitation({ id, secret, mailed, mine }: MailedProps) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const moment = useDateFormat()
  const { email, state, organizationName: organization, inviterName: inviter, hasAccount, role } = mailed
  if (state !== 'pending') return <ClosedInvitation mailed={mailed} mine={mine} />
  if (mine !== undefined && mine !== email) {
    return <WrongRecipient id={id} lead={t('invitation.other', { mine, email })} />
  }
  const title = t('invitation.title', { organization })
  const lead = (
    <>
      <span className={classes.logo}>
        <Avatar id={mailed.organizationId} name={organization} image={mailed.organizationLogo} size={56} isSquare />
      </span>
      {t('invitation.lead', { inviter, role: roleName(role) })}{' '}
      {t('overview.expires', { when: moment.relative(mailed.expiresAt) })}.
    </>
  )
  if (mine !== undefined) {
    return (
      <AuthLayout title={title} lead={lead}>
        <AcceptOrDecline id={id} secret={secret} organization={organization} slug={mailed.organizationSlug} />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={title} lead={lead}>
      {hasAccount ? (
        <ExistingAccount id={id} secret={secret} mailed={mailed} />
      ) : (
        <InvitationSignUp id={id} secret={secret} mailed={mailed} />
      )}
      <Decline id={id} secret={secret} organization={organization} />
    </AuthLayout>
  )
}

/** Declines by the emailed link, without a session. */
function Decline({ id, secret, organization }: { id: string; secret: string; organization: string }) {
  const { t } = useTranslation()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const decline = trpc.invitation.decline.useMutation({ onSuccess: () => setConfirmOpen(false) })
  if (decline.isSuccess) return <Text component="output">{t('invitation.declined', { organization })}</Text>
  return (
    <>
      <Button variant="subtle" className="quiet-button" fullWidth mt="sm" onClick={() => setConfirmOpen(true)}>
        {t('invitation.decline')}
      </Button>
      {isConfirmOpen && (
        <Confirm
          title={t('invitation.declineTitle', { organization })}
          lead={t('invitation.declineLead')}
          action={t('invitation.decline')}
          isPending={decline.isPending}
          error={decline.error}
          onConfirm={() => decline.mutate({ id, secret })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </>
  )
}

/** Copied link, signed in: the user's verified address has to match. */
function CopiedInvitation({ id, mine }: { id: string; mine: string }) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const own = trpc.invitation.get.useQuery({ id })
  if (own.isPending) return <LoadingScreen />
  const key = refusalOf(own.error)
  if (key === 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION') {
    return <WrongRecipient id={id} lead={t('invitation.otherUnknown', { mine })} />
  }
  if (key === 'EMAIL_NOT_VERIFIED') {
    return <UnverifiedRecipient id={id} mine={mine} />
  }
  if (own.isError) {
    return (
      <AuthLayout
        title={t('invitation.notFoundTitle')}
        lead={key === 'INVITATION_NOT_FOUND' ? t('invitation.notFound') : ''}
      >
        <Stack gap="md">
          {key !== 'INVITATION_NOT_FOUND' && <Refused error={own.error} />}
          <HomeButton />
        </Stack>
      </AuthLayout>
    )
  }
  const { organizationName: organization, inviterEmail: inviter, role, organizationSlug } = own.data
  return (
    <AuthLayout
      title={t('invitation.title', { organization })}
      lead={t('invitation.lead', { inviter, role: roleName(role) })}
    >
      <AcceptOrDecline id={id} secret={undefined} organization={organization} slug={organizationSlug} />
    </AuthLayout>
  )
}

/** Copied link, but the user's address is unverified: offers to verify it. */
function UnverifiedRecipient({ id, mine }: { id: string; mine: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const send = trpc.account.sendVerificationEmail.useMutation({
    onSuccess: () => void navigate({ to: '/check-mail', search: { email: mine, reason: 'unverified' } }),
  })
  return (
    <AuthLayout title={t('invitation.unverifiedTitle')} lead={t('invitation.unverified')}>
      <Stack gap="sm">
        <Button
          fullWidth
          loading={send.isPending}
          onClick={() => send.mutate({ email: mine, callbackURL: `/invitation/${id}` })}
        >
          {t('invitation.ownAddress')}
        </Button>
        <Refused error={send.error} />
        <HomeButton />
      </Stack>
    </AuthLayout>
  )
}

/** The invitation could not be loaded; offers to try again. */
function LoadError({ error, onResend }: { error: unknown; onResend: () => void }) {
  const { t } = useTranslation()
  return (
    <AuthLayout title={t('failure.title')}>
      <Stack gap="sm">
        <Refused error={error} />
        <Button fullWidth onClick={onResend}>
          {t('common.tryAgain')}
        </Button>
      </Stack>
    </AuthLayout>
  )
}

type AcceptOrDeclineProps = { id: string; secret: string | undefined; organization: string; slug: string }

/** Accept and decline buttons. */
function AcceptOrDecline({ id: invitationId, secret, organization, slug }: AcceptOrDeclineProps) {
  const { t } = useTranslation()
  const go = useNavigateTo()
  const next = useNext()
  const accept = trpc.invitation.accept.useMutation({ onSuccess: () => go(next ?? `/o/${slug}`) })
  const reject = trpc.invitation.reject.useMutation()
  if (reject.isSuccess) {
    return (
      <Stack gap="md">
        <Text component="output">{t('invitation.declined', { organization })}</Text>
        <HomeButton />
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      <Button
        fullWidth
        loading={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate({ invitationId, secret })}
      >
        {t('invitation.accept')}
      </Button>
      <Button
        fullWidth
        variant="default"
        loading={reject.isPending}
        onClick={() => reject.mutate({ invitationId, secret })}
      >
        {t('invitation.decline')}
      </Button>
      <Refused error={accept.error ?? reject.error} />
    </Stack>
  )
}

function WrongRecipient({ lead, id }: { lead: string; id: string }) {
  const { t } = useTranslation()
  const next = usePathWithNext(`/invitation/${id}`)
  // A full page load, so that no data of the previous user stays in memory.
  const signOut = trpc.session.signOut.useMutation({ onSuccess: () => location.assign(next) })
  return (
    <AuthLayout title={t('invitation.otherTitle')} lead={lead}>
      <Stack gap="sm">
        <Button fullWidth loading={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
          {t('invitation.switch')}
        </Button>
        <Refused error={signOut.error} />
        <HomeButton />
      </Stack>
    </AuthLayout>
  )
}

function SignInFirst({ id }: { id: string }) {
  const { t } = useTranslation()
  const next = usePathWithNext(`/invitation/${id}`)
  return (
    <AuthLayout title={t('invitation.needTitle')} lead={t('invitation.need')}>
      <Stack gap="sm">
        <ButtonLink to="/sign-in" search={{ next }} fullWidth>
          {t('signIn.submit')}
        </ButtonLink>
        <ButtonLink to="/sign-up" search={{ next }} variant="default" fullWidth>
          {t('signIn.toSignUp')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}

/** Shown for an invitation that is no longer pending, with the next step. */
function ClosedInvitation({ mailed, mine }: { mailed: Mailed; mine: string | undefined }) {
  const { t } = useTranslation()
  const { state, inviterName: inviter, organizationName: organization, organizationSlug: slug, email } = mailed
  if (state === 'accepted') {
    return (
      <AuthLayout title={t('invitation.usedTitle')} lead={t('invitation.used', { email, organization })}>
        {mine === email ? (
          <ButtonLink to="/o/$slug" params={{ slug }} fullWidth>
            {t('overview.open')}
          </ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" search={{ email, next: `/o/${slug}` }} fullWidth>
            {t('signIn.submit')}
          </ButtonLink>
        )}
      </AuthLayout>
    )
  }
  const titles = {
    expired: t('invitation.expiredTitle'),
    canceled: t('invitation.canceledTitle'),
    rejected: t('invitation.rejectedTitle'),
    withdrawn: t('invitation.notFoundTitle'),
    pending: t('invitation.notFoundTitle'),
  }
  return (
    <AuthLayout title={titles[state]} lead={t('invitation.requestNew', { inviter })}>
      <HomeButton />
    </AuthLayout>
  )
}

function HomeButton() {
  const { t } = useTranslation()
  return (
    <ButtonLink to="/" variant="default" fullWidth>
      {t('common.toHome')}
    </ButtonLink>
  )
}
