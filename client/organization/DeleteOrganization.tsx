import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetUnused } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { SettingRow } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'

/** Deletes an organization; the user has to type its slug to confirm. */
export function DeleteOrganization() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingRow name={t('organization.delete')} description={t('organization.deleteDescription')}>
      <Button size="sm" variant="default" color="danger" onClick={() => setOpen(true)}>
        {t('organization.delete')}
      </Button>
      {isOpen && <Delete onClose={() => setOpen(false)} />}
    </SettingRow>
  )
}

function Delete({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { organization } = useOrganization()
  const [typed, setTyped] = useState('')
  const finish = async () => {
    await navigate({ to: '/' })
    forgetUnused()
    toast(t('organization.deleted', { organization: organization.name }))
  }
  const remove = trpc.organization.delete.useMutation({ onSuccess: () => void finish() })
  return (
    <Dialog title={t('organization.delete')} description={t('organization.deleteDescription')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate({ organizationId: organization.id })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('organization.type', { slug: organization.slug })}
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ErrorMessage error={remove.error} />
          <DialogActions onClose={onClose}>
            <Button
              type="submit"
              color="danger"
              disabled={typed.trim() !== organization.slug}
              loading={remove.isPending}
            >
              {t('organization.delete')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
