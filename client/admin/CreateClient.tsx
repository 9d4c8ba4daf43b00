import { Button, Checkbox, Stack, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { trpc } from '../app/trpc.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Field, Refused } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { ClientSecret } from './ClientSecret.tsx'

const Fields = z.object({
  name: z.string().trim().min(1).max(100),
  redirectUris: z.string().trim().min(1),
  logo: z.string().trim().max(2048),
  isPublic: z.boolean(),
})

/**
 * Creates an application that uses the code flow with PKCE. Clients with other grants are created on the command line.
 */
export function CreateClient({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, {
    defaultValues: { name: '', redirectUris: '', logo: '', isPublic: false },
  })
  const create = trpc.admin.createClient.useMutation()
  if (create.data) return <ClientSecret {...create.data} onClose={onClose} />
  const { errors } = form.formState
  return (
    <Dialog title={t('clients.create')} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.handleSubmit(({ redirectUris, logo, ...sent }) =>
          create.mutate({
            ...sent,
            logo: logo === '' ? null : logo,
            redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
          }),
        )}
      >
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.name')} description={t('clients.nameHint')} data-autofocus />
          <Textarea
            label={t('clients.redirectUris')}
            description={t('clients.redirectUrisHint')}
            autosize
            minRows={2}
            spellCheck={false}
            error={errors.redirectUris && t('clients.redirectUrisMissing')}
            {...form.register('redirectUris')}
          />
          <Field form={form} name="logo" type="url" label={t('clients.logo')} description={t('clients.logoHint')} />
          <Checkbox
            {...form.register('isPublic')}
            label={t('clients.isPublic')}
            description={t('clients.isPublicHint')}
          />
          <Refused error={create.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('clients.create')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
