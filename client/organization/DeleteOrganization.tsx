import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { useReauthentication } from '../session/Reauthenticate.tsx'
import { Refused } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'
import { useOrganization } from './current-organization.ts'

/** Deletes an organization; the user has to type its slug to confirm. */
export function DeleteOrganization() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { organization } = useOrganization()
  const [typed, setTyped] = useState('')
  const { guard, dialog } = useReauthentication()
  const remove = trpc.organization.delete.useMutation({
    onSuccess: () => void navigate({ to: '/' }),
    onError: (error, sent) => guard(error, () => remove.mutate(sent)),
  })
  return (
    <Section title={t('organization.delete')} why={t('organization.deleteWhy')} isDangerous>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate({ organizationId: organization.id })
        }}
      >
        <Stack gap="md" maw={480}>
          <TextInput
            label={t('organization.type', { slug: organization.slug })}
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Refused error={remove.error} />
          <Button
            type="submit"
            color="danger"
            disabled={typed.trim() !== organization.slug}
            loading={remove.isPending}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('organization.delete')}
          </Button>
        </Stack>
      </form>
      {dialog}
    </Section>
  )
}
