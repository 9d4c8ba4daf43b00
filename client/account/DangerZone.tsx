import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { goToSignIn } from '../ui/navigation.ts'
import { PasswordControl } from '../ui/PasswordControl.tsx'
import { Section, SettingRow } from '../ui/Section.tsx'
import { DeletionFacts } from './DeletionFacts.tsx'
import { DeletionObstacles, isDeletionBlocked } from './DeletionObstacles.tsx'

/** Deletes the account. What has to be done before is listed first. */
export function DangerZone() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const preview = trpc.account.previewDeletion.useQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const email = current?.user.email ?? ''
  const isBlocked = isDeletionBlocked(preview.data)
  return (
    <>
      {preview.data && isBlocked && <DeletionObstacles preview={preview.data} />}
      <Section title={t('deleteAccount.title')} isDangerous isFlush>
        <SettingRow name={email} description={t('deleteAccount.description')}>
          <Button
            size="sm"
            variant="default"
            color="danger"
            disabled={isBlocked}
            loading={preview.isLoading}
            onClick={() => setOpen(true)}
          >
            {t('deleteAccount.submit')}
          </Button>
        </SettingRow>
        <ErrorMessage error={preview.error} />
      </Section>
      {isOpen && <Delete preview={preview.data} onClose={() => setOpen(false)} />}
    </>
  )
}

type DeleteProps = { preview: Outputs['account']['previewDeletion'] | undefined; onClose: () => void }

/** Shows what is deleted, and asks for the email address and the password or an emailed link. */
function Delete({ preview, onClose }: DeleteProps) {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [accounts] = trpc.account.listAccounts.useSuspenseQuery()
  const email = current?.user.email ?? ''
  const hasPassword = accounts.some(({ provider }) => provider === 'credential')
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const remove = trpc.account.delete.useMutation({
    onSuccess: ({ message }) => {
      if (message === 'User deleted') goToSignIn()
    },
  })
  const isConfirmed = typed.trim().toLowerCase() === email
  const isMailed = remove.data?.message === 'Verification email sent'
  return (
    <Dialog title={t('deletion.title')} description={t('deletion.description', { email })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate(hasPassword ? { password } : { callbackURL: '/sign-in' })
        }}
      >
        <Stack gap="md">
          {preview && <DeletionFacts preview={preview} />}
          <TextInput
            label={t('deleteAccount.type', { email })}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {hasPassword && (
            <PasswordControl
              label={t('common.currentPassword')}
              value={password}
              autoComplete="current-password"
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {hasPassword && (
            <Button
              variant="subtle"
              className="quiet-button"
              disabled={!isConfirmed}
              onClick={() => remove.mutate({ callbackURL: '/sign-in' })}
            >
              {t('deleteAccount.byMail')}
            </Button>
          )}
          <ErrorMessage error={remove.error} />
          <output className="good-note">{isMailed ? t('deleteAccount.mailSent', { email }) : ''}</output>
          <DialogActions onClose={onClose}>
            <Button
              type="submit"
              color="danger"
              disabled={!isConfirmed || (hasPassword && password === '')}
              loading={remove.isPending}
            >
              {t('deleteAccount.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
