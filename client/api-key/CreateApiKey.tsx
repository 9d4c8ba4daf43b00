import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { z } from 'zod'
import { keyPermissions, permissionsByResource } from '../../shared/api-key.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { SecretDialog } from '../ui/SecretDialog.tsx'
import { permissionKey } from './permission-key.ts'
import classes from './CreateApiKey.module.css'

const daySeconds = 86_400
/** Lifetimes in days. 0 means no expiry. */
const lifetimes = [30, 90, 365, 0] as const
/** Everything that the role allows; reading only; or reading and selected changes. */
const accesses = ['all', 'read', 'some'] as const
const Fields = z.object({
  name: z.string().trim().min(1).max(32),
  days: z.string(),
  access: z.enum(accesses),
  changes: z.array(z.enum(keyPermissions)),
})

/** Creates a key, and shows it once. */
export function CreateApiKey({ organizationId, onClose }: { organizationId?: string; onClose: () => void }) {
  const { t, language } = useTranslation()
  const inDays = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  const form = useScreenForm(Fields, { defaultValues: { name: '', days: '90', access: 'all', changes: [] } })
  const create = trpc.apiKey.create.useMutation()
  if (create.data) {
    return (
      <SecretDialog
        title={t('apiKeys.createdTitle')}
        description={t('apiKeys.createdDescription')}
        values={[{ label: t('apiKeys.key'), value: create.data.key }]}
        copy={t('apiKeys.copy')}
        onClose={onClose}
      />
    )
  }
  const access = form.watch('access')
  const submit = ({ name, days, changes }: z.output<typeof Fields>) =>
    create.mutate({
      name,
      expiresIn: days === '0' ? null : Number(days) * daySeconds,
      ...(organizationId !== undefined && { organizationId }),
      ...(access !== 'all' && { permissions: permissionsByResource(access === 'some' ? changes : []) }),
    })
  return (
    <Dialog title={t('apiKeys.createTitle')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <Stack gap="md">
          <Field form={form} name="name" label={t('apiKeys.name')} description={t('apiKeys.nameHint')} data-autofocus />
          <NativeSelect
            rightSection={<ChevronIcon />}
            label={t('apiKeys.lifetime')}
            data={lifetimes.map((days) => ({
              value: String(days),
              label: days === 0 ? t('apiKeys.noExpiry') : inDays.format(days),
            }))}
            {...form.register('days')}
          />
          {organizationId !== undefined && (
            <NativeSelect
              rightSection={<ChevronIcon />}
              label={t('apiKeys.access')}
              data={accesses.map((value) => ({ value, label: t(`apiKeys.accessOf.${value}`) }))}
              {...form.register('access')}
            />
          )}
          {access === 'some' && (
            <fieldset className={classes.changes}>
              <legend>{t('apiKeys.changes')}</legend>
              {keyPermissions.map((name) => (
                <Checkbox
                  key={name}
                  size="sm"
                  value={name}
                  label={t(`apiKeys.may.${permissionKey(name)}`)}
                  {...form.register('changes')}
                />
              ))}
            </fieldset>
          )}
          <ErrorMessage error={create.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('apiKeys.create')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
