import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { refusalOf } from '../api/call-errors.ts'
import { trpc, type Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { useLinkSecret } from '../ui/link-secret.ts'
import { useNavigateTo } from '../ui/navigation.ts'
import { useNext } from '../ui/next.ts'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { ConfirmDecline } from './ConfirmDecline.tsx'
import { ExistingAccount } from './ExistingAccount.tsx'
import {
  ClosedInvitation,
  HomeButton,
  InvitationLoadError,
  SendVerification,
  SignInFirst,
  UnverifiedRecipient,
  WrongRecipient,
} from './InvitationNotices.tsx'
import { InvitationSignUp } from './InvitationSignUp.tsx'

type Mailed = NonNullable<Outputs['invitation']['readByLink']>

/** Target of an invitation link, emailed (with a secret) or copied (without one). Offers the next step. */
export function Invitation() {
  const { id } = useParams({ from: '/invitation/$id' })
  const search = useSearch({ from: '/invitation/$id' })
  const secret = useLinkSecret(`invitation.${id}`, search.secret)
  const [session] = trpc.session.get.useSuspenseQuery()
  const { client } = trpc.useUtils()
  const mailed = useQuery({
    queryKey: ['mailed invitation', id, secret],
    queryFn: () => client.invitation.readByLink.mutate({ id, secret: secret ?? '' }),
    enabled: secret !== undefined,
    retry: false,
  })
  if (secret !== undefined && mailed.isPending) return <LoadingScreen />
  if (mailed.isError) return <InvitationLoadError error={mailed.error} onTryAgain={() => void mailed.refetch()} />
  if (secret !== undefined && mailed.data) {
    const ownEmail = session?.user.email
    return <MailedInvitation id={id} secret={secret} mailed={mailed.data} ownEmail={ownEmail} />
  }
  if (!session) return <SignInFirst id={id} />
  return <CopiedInvitation id={id} ownEmail={session.user.email} />
}

type MailedProps = { id: string; secret: string; mailed: Mailed; ownEmail: string | undefined }

/** Emailed link: the secret gives access to the invitation without a session. */
function MailedInvitation({ id, secret, mailed, ownEmail }: MailedProps) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const dateFormat = useDateFormat()
  const [isDeclined, setDeclined] = useState(false)
  const { email, state, organizationName: organization, inviterName: inviter, hasAccount, role } = mailed
  if (state !== 'pending') return <ClosedInvitation mailed={mailed} ownEmail={ownEmail} />
  if (ownEmail !== undefined && ownEmail !== email) {
    return <WrongRecipient id={id} description={t('invitation.other', { ownEmail, email })} />
  }
  const title = t('invitation.title', { organization })
  const emblem = (
    <Avatar id={mailed.organizationId} name={organization} image={mailed.organizationLogo} size={56} isSquare />
  )
  const description = (
    <>
      {t('invitation.description', { inviter, role: roleName(role) })}{' '}
      {t('overview.expires', { when: dateFormat.relative(mailed.expiresAt) })}.
    </>
  )
  if (ownEmail !== undefined) {
    return (
      <AuthLayout title={title} emblem={emblem} description={description}>
        <AcceptOrDecline
          id={id}
          secret={secret}
          ownEmail={ownEmail}
          organization={organization}
          slug={mailed.organizationSlug}
        />
      </AuthLayout>
    )
  }
  if (isDeclined) {
    return <AuthLayout title={t('invitation.rejectedTitle')} description={t('invitation.declined', { organization })} />
  }
  return (
    <AuthLayout title={title} emblem={emblem} description={description}>
      {hasAccount ? (
        <ExistingAccount id={id} secret={secret} mailed={mailed} />
      ) : (
        <InvitationSignUp id={id} secret={secret} mailed={mailed} />
      )}
      <Decline id={id} secret={secret} organization={organization} onDeclined={() => setDeclined(true)} />
    </AuthLayout>
  )
}

type DeclineProps = { id: string; secret: string; organization: string; onDeclined: () => void }

/** Declines by the emailed link, without a session. */
function Decline({ id, secret, organization, onDeclined }: DeclineProps) {
  const { t } = useTranslation()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const decline = trpc.invitation.rejectByLink.useMutation({ onSuccess: onDeclined })
  return (
    <>
      <Button variant="subtle" className="quiet-button" fullWidth mt="sm" onClick={() => setConfirmOpen(true)}>
        {t('invitation.decline')}
      </Button>
      {isConfirmOpen && (
        <ConfirmDecline
          organization={organization}
          call={decline}
          onConfirm={() => decline.mutate({ id, secret })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </>
  )
}

/** Copied link, signed in: the user's verified email address has to match. */
function CopiedInvitation({ id, ownEmail }: { id: string; ownEmail: string }) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const own = trpc.invitation.get.useQuery({ id })
  if (own.isPending) return <LoadingScreen />
  const key = refusalOf(own.error)
  if (key === 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION') {
    return <WrongRecipient id={id} description={t('invitation.otherUnknown', { ownEmail })} />
  }
  if (key === 'EMAIL_NOT_VERIFIED') {
    return <UnverifiedRecipient id={id} ownEmail={ownEmail} />
  }
  if (own.isError) {
    return (
      <AuthLayout
        title={t('invitation.notFoundTitle')}
        description={key === 'INVITATION_NOT_FOUND' ? t('invitation.notFound') : ''}
      >
        <Stack gap="md">
          {key !== 'INVITATION_NOT_FOUND' && <ErrorMessage error={own.error} />}
          <HomeButton />
        </Stack>
      </AuthLayout>
    )
  }
  const { organizationName: organization, inviterEmail: inviter, role, organizationSlug } = own.data
  return (
    <AuthLayout
      title={t('invitation.title', { organization })}
      description={t('invitation.description', { inviter, role: roleName(role) })}
    >
      <AcceptOrDecline
        id={id}
        secret={undefined}
        ownEmail={ownEmail}
        organization={organization}
        slug={organizationSlug}
      />
    </AuthLayout>
  )
}

type AcceptOrDeclineProps = {
  id: string
  secret: string | undefined
  ownEmail: string
  organization: string
  slug: string
}

/**
 * Accept and decline buttons. A user whose change to this email address is unconfirmed is asked to confirm it first.
 */
function AcceptOrDecline({ id: invitationId, secret, ownEmail, organization, slug }: AcceptOrDeclineProps) {
  const { t } = useTranslation()
  const go = useNavigateTo()
  const next = useNext()
  const accept = trpc.invitation.accept.useMutation({ onSuccess: () => go(next ?? `/o/${slug}`) })
  const reject = trpc.invitation.reject.useMutation()
  const [isDeclining, setDeclining] = useState(false)
  if (refusalOf(accept.error) === 'EMAIL_NOT_VERIFIED')
    return <SendVerification id={invitationId} ownEmail={ownEmail} />
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
      <Button fullWidth variant="default" onClick={() => setDeclining(true)}>
        {t('invitation.decline')}
      </Button>
      <ErrorMessage error={accept.error} />
      {isDeclining && (
        <ConfirmDecline
          organization={organization}
          call={reject}
          onConfirm={() => reject.mutate({ invitationId, secret })}
          onClose={() => setDeclining(false)}
        />
      )}
    </Stack>
  )
}
