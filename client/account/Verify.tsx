import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ClaimAccount } from '../../shared/account.ts'
import { refusalOf } from '../api/call-errors.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { forgetLinkSecret, useLinkSecret } from '../ui/link-secret.ts'
import { ButtonLink } from '../ui/links.tsx'
import { withNext } from '../ui/next.ts'
import { useScreenForm } from '../ui/screen-form.ts'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { NewPasswordField } from './NewPasswordField.tsx'
import { usePasswordRule } from './password-rule.ts'

type Unverified = Outputs['account']['readVerification']

/**
 * Target of a verification link in a browser other than the one that signed up. The link proves access to the mailbox,
 * not who signed up, so the user has to confirm first.
 */
export function Verify() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/verify' })
  const token = useLinkSecret('verification', search.token)
  const target = useLinkSecret('verification.target', search.callbackURL)
  const { client } = trpc.useUtils()
  const read = useQuery({
    queryKey: ['verification', token],
    queryFn: () => client.account.readVerification.mutate({ token: token ?? '' }),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (read.isPending && token !== undefined) return <LoadingScreen />
  if (!read.isSuccess || token === undefined) {
    const key = refusalOf(read.error)
    const isDead =
      token === undefined ||
      key === 'LINK_TOKEN_EXPIRED' ||
      key === 'LINK_INVALID_TOKEN' ||
      key === 'LINK_USER_NOT_FOUND'
    const isExpired = key === 'LINK_TOKEN_EXPIRED'
    return (
      <AuthLayout
        title={isDead ? t(isExpired ? 'verified.expiredTitle' : 'verified.invalidTitle') : t('failure.title')}
        description={isDead ? t(isExpired ? 'verified.expiredSignIn' : 'verified.invalid') : undefined}
      >
        <Stack gap="sm">
          {!isDead && <ErrorMessage error={read.error} />}
          {!isDead && (
            <Button fullWidth onClick={() => void read.refetch()}>
              {t('common.tryAgain')}
            </Button>
          )}
          <ButtonLink to="/sign-in" search={nextOf(target)} variant={isDead ? 'filled' : 'default'} fullWidth>
            {t('common.signIn')}
          </ButtonLink>
        </Stack>
      </AuthLayout>
    )
  }
  return read.data.kind === 'change' ? (
    <ConfirmChange token={token} unverified={read.data} target={target} />
  ) : (
    <ConfirmSignUp token={token} unverified={read.data} target={target} />
  )
}

/** The final target inside that of the link. */
function nextOf(target = ''): { next?: string } {
  return withNext(new URLSearchParams(target.split('?')[1]).get('next') ?? undefined)
}

type ConfirmProps = { token: string; unverified: Unverified }

function ConfirmSignUp({ token, unverified, target }: ConfirmProps & { target: string | undefined }) {
  const { t } = useTranslation()
  const { email, name } = unverified
  const [isMine, setMine] = useState(false)
  if (isMine) return <Claim token={token} email={email} name={name} target={target} onBack={() => setMine(false)} />
  return (
    <AuthLayout title={t('verify.title')} description={t('verify.description', { email })}>
      <Stack gap="sm">
        <Button fullWidth onClick={() => setMine(true)}>
          {t('verify.yes')}
        </Button>
        <ButtonLink to="/sign-in" search={{ email, next: '/verify' }} variant="default" fullWidth>
          {t('verify.signIn')}
        </ButtonLink>
        <Reject
          token={token}
          texts={{
            action: t('verify.no'),
            title: t('verify.rejectTitle'),
            description: t('verify.rejectDescription', { email }),
            confirm: t('verify.reject'),
            done: t('verify.rejected'),
          }}
        />
      </Stack>
    </AuthLayout>
  )
}

/** Confirms a change of email address; only the user of the account can confirm it. */
function ConfirmChange({
  token,
  unverified: { email, isMine },
  target,
}: ConfirmProps & { target: string | undefined }) {
  const { t } = useTranslation()
  const [isClaiming, setClaiming] = useState(false)
  const confirm = trpc.account.confirmVerification.useMutation({
    onSuccess: () => {
      forgetLinkSecret('verification')
      location.assign(target ?? '/')
    },
  })
  if (isClaiming) return <Claim token={token} email={email} name="" target={target} onBack={() => setClaiming(false)} />
  return (
    <AuthLayout
      title={t('verify.changeTitle')}
      description={t(isMine ? 'verify.changeMine' : 'verify.changeDescription', { email })}
    >
      <Stack gap="sm">
        {isMine ? (
          <Button
            fullWidth
            loading={confirm.isPending || confirm.isSuccess}
            onClick={() => confirm.mutate({ token, callbackURL: target })}
          >
            {t('verify.changeConfirm')}
          </Button>
        ) : (
          <>
            <ButtonLink to="/sign-in" search={{ email, next: '/verify' }} fullWidth>
              {t('common.signIn')}
            </ButtonLink>
            <Button variant="default" fullWidth onClick={() => setClaiming(true)}>
              {t('signIn.toSignUp')}
            </Button>
          </>
        )}
        <ErrorMessage error={confirm.error} />
        <Reject
          token={token}
          texts={{
            action: t('verify.changeNo'),
            title: t('verify.changeRejectTitle'),
            description: t('verify.changeRejectDescription', { email }),
            confirm: t('verify.changeReject'),
            done: t('verify.changeRejected'),
          }}
        />
      </Stack>
    </AuthLayout>
  )
}

const fields = ['name', 'password'] as const

type ClaimProps = { token: string; email: string; name: string; target: string | undefined; onBack: () => void }

/** The mailbox owner chooses a new name and password; everything the original registrant set is discarded. */
function Claim({ token, email, name, target, onBack }: ClaimProps) {
  const { t } = useTranslation()
  const rule = usePasswordRule()
  const schema = ClaimAccount.pick({ name: true }).extend({ password: rule.schema })
  const form = useScreenForm(schema, { defaultValues: { name, password: '' } })
  const claim = trpc.account.claim.useMutation({
    // A full page load, so that no data of the previous user stays in memory.
    onSuccess: () => {
      forgetLinkSecret('verification')
      location.assign(target ?? '/')
    },
    onError: (error) => setFieldError(form, error, fields),
  })
  return (
    <AuthLayout title={t('verify.title')} description={t('verify.otherBrowser')}>
      <form noValidate onSubmit={form.handleSubmit((sent) => claim.mutate({ ...sent, token, callbackURL: target }))}>
        <Stack gap="md">
          <TextInput label={t('field.email')} value={email} readOnly autoComplete="username" />
          <Field form={form} name="name" label={t('field.name')} autoComplete="name" />
          <NewPasswordField form={form} label={t('field.password')} autoFocus />
          <ErrorMessage error={claim.error} names={fields} />
          <Button type="submit" fullWidth loading={claim.isPending || claim.isSuccess}>
            {t('verify.submit')}
          </Button>
          <Button variant="default" fullWidth onClick={onBack}>
            {t('verify.back')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}

type RejectProps = {
  token: string
  texts: { action: string; title: string; description: string; confirm: string; done: string }
}

function Reject({ token, texts }: RejectProps) {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const reject = trpc.account.rejectVerification.useMutation({ onSuccess: () => setConfirmOpen(false) })
  return (
    <>
      {reject.isSuccess ? (
        <Text component="output" display="block" c="var(--good)">
          {texts.done}
        </Text>
      ) : (
        <Button variant="default" fullWidth onClick={() => setConfirmOpen(true)}>
          {texts.action}
        </Button>
      )}
      {isConfirmOpen && (
        <Confirm
          title={texts.title}
          description={texts.description}
          action={texts.confirm}
          isPending={reject.isPending}
          error={reject.error}
          onConfirm={() => reject.mutate({ token })}
          onClose={() => setConfirmOpen(false)}
        />
      )}
    </>
  )
}
