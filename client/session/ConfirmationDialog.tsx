import { Button, Divider, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { type ProviderId, isProvider, providerNames } from '../../shared/provider.ts'
import type { Confirmation } from '../api/confirmation.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ConfirmFactor, useOwnFactors } from '../two-factor/ConfirmFactor.tsx'
import { supportsPasskeys, usePasskey } from '../two-factor/use-passkey.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, PasswordField } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { ProviderLogo } from './ProviderLogo.tsx'
import { onReauthenticated } from './reauthenticated.ts'

/**
 * Asks for what a refused call requires (api/confirmation.ts): the password, a linked provider or an emailed code, or a
 * second factor. Leaving the screen cancels.
 */
export function ConfirmationDialog({ kind, answer }: Pick<Confirmation, 'kind' | 'answer'>) {
  const { href } = useLocation()
  const [openedAt] = useState(href)
  useEffect(() => {
    if (href !== openedAt) answer(false)
  }, [href, openedAt, answer])
  const done = { onClose: () => answer(false), onDone: () => answer(true) }
  return kind === 'factor' ? <Confirm {...done} /> : <Reauthenticate {...done} />
}

type DialogProps = { onClose: () => void; onDone: () => void }

/** For actions that need a second factor: entering the password again is not sufficient. */
function Confirm({ onClose, onDone }: DialogProps) {
  const { t } = useTranslation()
  const { isLoading, hasPasskey, hasApp } = useOwnFactors()
  const hasNone = !isLoading && !hasPasskey && !hasApp
  // Users without a second factor have to set one up first, as the refusal says.
  useEffect(() => {
    if (hasNone) onClose()
  }, [hasNone, onClose])
  if (isLoading || hasNone) return null
  return (
    <Dialog
      title={t('twoFactor.confirmTitle')}
      description={t('twoFactor.confirmDescription')}
      onClose={onClose}
      isConfirmation
    >
      <ConfirmFactor onConfirmed={onDone} />
    </Dialog>
  )
}

function Reauthenticate({ onClose, onDone }: DialogProps) {
  const { t } = useTranslation()
  const accounts = trpc.account.listAccounts.useQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [{ providers }] = trpc.session.options.useSuspenseQuery()
  const methods = accounts.data?.map(({ provider }) => provider) ?? []
  const linked = methods.filter(isProvider).filter((provider) => providers.includes(provider))
  const hasPassword = methods.includes('credential')
  const mayMail = current?.user.emailVerified ?? false
  return (
    <Dialog title={t('reauthenticate.title')} onClose={onClose} isConfirmation>
      {accounts.isPending ? (
        <LoadingScreen />
      ) : (
        <Stack gap="md">
          <Text>{hasPassword ? t('reauthenticate.description') : t('reauthenticate.descriptionNoPassword')}</Text>
          {hasPassword && <ByPassword email={current?.user.email ?? ''} onClose={onClose} onDone={onDone} />}
          <ByPasskey onDone={onDone} />
          {[...new Set(linked)].map((provider) => (
            <ByProvider key={provider} provider={provider} onDone={onDone} />
          ))}
          {!hasPassword && mayMail && linked.length > 0 && <Divider label={t('common.or')} />}
          {!hasPassword && mayMail && <ByCode email={current?.user.email ?? ''} onDone={onDone} />}
          <ErrorMessage error={accounts.error} />
        </Stack>
      )}
    </Dialog>
  )
}

const PasswordFields = z.object({ password: z.string().min(1) })

function ByPassword({ email, onClose, onDone }: DialogProps & { email: string }) {
  const { t } = useTranslation()
  const form = useScreenForm(PasswordFields, { defaultValues: { password: '' } })
  const confirm = trpc.session.reauthenticate.useMutation({ onSuccess: onDone })
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => confirm.mutate(sent))}>
      <Stack gap="md">
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordField
          form={form}
          name="password"
          label={t('common.currentPassword')}
          autoComplete="current-password"
          data-autofocus
        />
        <ErrorMessage error={confirm.error} />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={confirm.isPending}>
            {t('common.continue')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

function ByPasskey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const passkeys = trpc.passkey.list.useQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const passkey = usePasskey({ onSignedIn: onDone, ...(current && { userId: current.user.id }) })
  if (!passkeys.data || passkeys.data.length === 0 || !supportsPasskeys()) return null
  return (
    <Stack gap="xs">
      <Button variant="default" loading={passkey.isPending} onClick={passkey.ask}>
        {t('passkeys.use')}
      </Button>
      <ErrorMessage error={passkey.error} />
    </Stack>
  )
}

/** Re-authenticates at the provider in a popup that closes itself; the pending action then continues. */
function ByProvider({ provider, onDone }: { provider: ProviderId; onDone: () => void }) {
  const { t } = useTranslation()
  const start = trpc.session.reauthenticateSocial.useMutation()
  const [name] = useState(() => Math.random().toString(36).slice(2))
  useEffect(() => {
    return start.isSuccess ? onReauthenticated(name, onDone) : undefined
  }, [start.isSuccess, name, onDone])
  const opened = useRef<Window | null>(null)
  // Without this dialog nothing listens for the popup's result, so close the popup on unmount.
  useEffect(() => () => opened.current?.close(), [])
  const open = () => {
    // Opened synchronously in the click handler: browsers block popups that are opened later.
    const window = globalThis.open('', 'reauthenticate', 'popup,width=520,height=680')
    opened.current = window
    start.mutate(
      { provider, callbackURL: `/reauthenticated?for=${name}`, errorCallbackURL: '/error?from=link' },
      {
        onSuccess: ({ url }) => {
          if (window) window.location.href = url
          else location.assign(url)
        },
        onError: () => window?.close(),
      },
    )
  }
  return (
    <Stack gap="xs">
      <Button variant="default" leftSection={<ProviderLogo id={provider} />} loading={start.isPending} onClick={open}>
        {t('social.with', { provider: providerNames[provider] })}
      </Button>
      <ErrorMessage error={start.error} />
    </Stack>
  )
}

const CodeFields = z.object({ code: z.string().trim().min(1) })

function ByCode({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(CodeFields, { defaultValues: { code: '' } })
  const send = trpc.session.sendReauthenticationCode.useMutation()
  const confirm = trpc.session.reauthenticate.useMutation({ onSuccess: onDone })
  if (!send.isSuccess) {
    return (
      <Stack gap="xs">
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t('reauthenticate.byCode')}
        </Button>
        <ErrorMessage error={send.error} />
      </Stack>
    )
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((sent) => confirm.mutate(sent))}>
      <Stack gap="md">
        <Text component="output">{t('reauthenticate.codeSent', { email })}</Text>
        <Field
          form={form}
          name="code"
          label={t('reauthenticate.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
        <ErrorMessage error={confirm.error} />
        {confirm.isError && (
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            {t('checkMail.resend')}
          </Button>
        )}
        <Button type="submit" loading={confirm.isPending}>
          {t('reauthenticate.confirm')}
        </Button>
      </Stack>
    </form>
  )
}
