import { Button, Checkbox, Stack, Textarea } from '@mantine/core'
import { z } from 'zod'
import { useTranslation } from '../language/translation.ts'
import { DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'

const Fields = z.object({
  name: z.string().trim().min(1).max(100),
  redirectUris: z.string(),
  postLogoutRedirectUris: z.string(),
  backchannelLogoutUri: z.string().trim().max(2048),
  logo: z.string().trim().max(2048),
  isPublic: z.boolean(),
})

/** The fields of an application, as they are sent. */
export type ClientFields = {
  name: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  logo: string | null
}

type ClientFormProps = {
  /** The application that is being changed. Without one, a new application is described. */
  client?: ClientFields & { grantTypes: readonly string[] }
  action: string
  isPending: boolean
  error: unknown
  onSend: (fields: ClientFields, isPublic: boolean) => void
  onClose: () => void
}

const linesOf = (text: string) => text.split(/\s+/).filter((uri) => uri !== '')

/** The form of an application, new or existing. */
export function ClientForm({ client, action, isPending, error, onSend, onClose }: ClientFormProps) {
  const { t } = useTranslation()
  // Programs that sign in by a device or for themselves have no redirect URIs.
  const needsUri = client?.grantTypes.includes('authorization_code') ?? true
  const form = useScreenForm(
    Fields.refine(({ redirectUris }) => !needsUri || linesOf(redirectUris).length > 0, { path: ['redirectUris'] }),
    {
      defaultValues: {
        name: client?.name ?? '',
        redirectUris: client?.redirectUris.join('\n') ?? '',
        postLogoutRedirectUris: client?.postLogoutRedirectUris.join('\n') ?? '',
        backchannelLogoutUri: client?.backchannelLogoutUri ?? '',
        logo: client?.logo ?? '',
        isPublic: false,
      },
    },
  )
  const { errors } = form.formState
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(({ isPublic, ...fields }) =>
        onSend(
          {
            name: fields.name,
            redirectUris: linesOf(fields.redirectUris),
            postLogoutRedirectUris: linesOf(fields.postLogoutRedirectUris),
            backchannelLogoutUri: fields.backchannelLogoutUri || null,
            logo: fields.logo || null,
          },
          isPublic,
        ),
      )}
    >
      <Stack gap="md">
        <Field form={form} name="name" label={t('field.name')} description={t('clients.nameHint')} data-autofocus />
        <Textarea
          label={t('clients.redirectUris')}
          description={client ? t('clients.askedAgain') : t('clients.redirectUrisHint')}
          autosize
          minRows={2}
          spellCheck={false}
          error={errors.redirectUris && t('clients.redirectUrisMissing')}
          {...form.register('redirectUris')}
        />
        <Textarea
          label={t('clients.postLogoutUris')}
          description={t('clients.postLogoutUrisHint')}
          autosize
          minRows={1}
          spellCheck={false}
          {...form.register('postLogoutRedirectUris')}
        />
        <Field
          form={form}
          name="backchannelLogoutUri"
          type="url"
          label={t('clients.backchannelUri')}
          description={t('clients.backchannelUriHint')}
        />
        <Field form={form} name="logo" type="url" label={t('clients.logo')} description={t('clients.logoHint')} />
        {!client && (
          <Checkbox
            {...form.register('isPublic')}
            label={t('clients.isPublic')}
            description={t('clients.isPublicHint')}
          />
        )}
        <ErrorMessage error={error} />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
