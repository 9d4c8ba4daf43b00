import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { SetOrganizationLimit } from '../../shared/installation.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { toast } from '../ui/toast.tsx'

type Organization = Outputs['admin']['organization']

/** The maximum number of members of an organization, which an administrator can change. */
export function OrganizationLimit({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const { membershipLimit, defaultMembershipLimit: max } = organization
  return (
    <Group gap="sm">
      {membershipLimit ?? t('installation.limitDefault', { max })}
      <Button variant="subtle" size="compact-sm" my={-6} onClick={() => setChanging(true)}>
        {t('installation.changeLimit')}
      </Button>
      {isChanging && <Change organization={organization} onClose={() => setChanging(false)} />}
    </Group>
  )
}

/** An empty field is the limit of the installation. */
const Fields = z.object({
  membershipLimit: z
    .string()
    .trim()
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(SetOrganizationLimit.shape.membershipLimit),
})

function Change({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: organizationId, membershipLimit, defaultMembershipLimit: max } = organization
  const form = useScreenForm(Fields, { defaultValues: { membershipLimit: membershipLimit?.toString() ?? '' } })
  const change = trpc.admin.setOrganizationLimit.useMutation({
    onSuccess: () => {
      toast(t('installation.limitChanged'))
      onClose()
    },
    onError: (error) => setFieldError(form, error, ['membershipLimit']),
  })
  return (
    <Dialog title={t('installation.limitLabel')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit((sent) => change.mutate({ organizationId, ...sent }))}>
        <Stack gap="md">
          <Field
            form={form}
            name="membershipLimit"
            label={t('installation.limitLabel')}
            description={t('installation.limitDescription', { max })}
            inputMode="numeric"
            autoComplete="off"
            data-autofocus
          />
          <ErrorMessage error={change.error} names={['membershipLimit']} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={change.isPending}>
              {t('installation.changeLimit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
