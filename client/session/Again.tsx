import { Button, Group, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { refusalOf, trpc } from '../trpc.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { PasswordField, Refused, useFieldMessage, useScreenForm } from '../ui/Form.tsx'

/**
 * For what needs a fresh session: `guard` takes the error of a mutation and what to do again. When the session is too old it
 * asks for the password in place, signs in anew and then finishes the same action.
 */
export function useAgain(): { guard: (error: unknown, action: () => void) => void; dialog: ReactNode } {
  const [action, setAction] = useState<() => void>()
  const guard = (error: unknown, again: () => void) => {
    const key = refusalOf(error)
    const isStale = key === 'SESSION_IS_NOT_FRESH' || key === 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION'
    if (isStale) setAction(() => again)
  }
  const close = () => setAction(undefined)
  const dialog = action ? <Again onClose={close} onDone={() => (close(), action())} /> : null
  return { guard, dialog }
}

const Fields = z.object({ password: z.string().min(1) })

function Again({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const [current] = trpc.session.get.useSuspenseQuery()
  const form = useScreenForm(Fields, { defaultValues: { password: '' } })
  const signIn = trpc.session.signInEmail.useMutation({ onSuccess: onDone })
  const email = current?.user.email ?? ''
  return (
    <Dialog title={t('again.title')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(({ password }) => signIn.mutate({ email, password }))}>
        <Stack gap="md">
          <Text>{t('again.lead')}</Text>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <PasswordField
            {...form.register('password')}
            label={t('password.current')}
            autoComplete="current-password"
            data-autofocus
            error={messageOf(form.formState.errors.password, form.watch('password'))}
          />
          <Refused error={signIn.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('again.cancel')}
            </Button>
            <Button type="submit" loading={signIn.isPending}>
              {t('again.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
