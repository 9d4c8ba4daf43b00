import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { useReauthentication } from '../session/Reauthenticate.tsx'
import { PasswordControl, Refused } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'
import { goToSignIn } from '../ui/navigation.ts'
import { DeletionFacts } from './DeletionFacts.tsx'

/** Deletes the account: shows what is deleted, and asks for the email address and the password or an emailed link. */
export function DangerZone() {
  const { t } = useTranslation()
  const { guard, dialog } = useReauthentication()
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
    onError: (error, input) => guard(error, () => remove.mutate(input)),
  })
  const preview = trpc.account.previewDeletion.useQuery()
  const isBlocked = (preview.data?.blocked.length ?? 0) + (preview.data?.subscriptions.length ?? 0) > 0
  const isConfirmed = typed.trim().toLowerCase() === email
  return (
    <Section title={t('deleteAccount.title')} why={t('deleteAccount.why')} isDangerous>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate(hasPassword ? { password } : { callbackURL: '/sign-in' })
        }}
      >
        {preview.data && <DeletionFacts preview={preview.data} />}
        <Stack gap="md" maw={480} mt="md">
          <TextInput
            label={t('deleteAccount.type', { email })}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {hasPassword && (
            <PasswordControl
              label={t('password.current')}
              value={password}
              autoComplete="current-password"
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
          {dialog === null && <Refused error={remove.error} />}
          <Group gap="sm">
            <Button
              type="submit"
              color="danger"
              disabled={!isConfirmed || isBlocked || (hasPassword && password === '')}
              loading={remove.isPending}
            >
              {t('deleteAccount.submit')}
            </Button>
            {hasPassword && (
              <Button
                variant="default"
                disabled={!isConfirmed || isBlocked}
                onClick={() => remove.mutate({ callbackURL: '/sign-in' })}
              >
                {t('deleteAccount.byMail')}
              </Button>
            )}
          </Group>
          <Text component="output" display="block" c="var(--good)">
            {remove.data?.message === 'Verification email sent' ? t('deleteAccount.mailSent', { email }) : ''}
          </Text>
        </Stack>
      </form>
      {dialog}
    </Section>
  )
}
