import { Button, MultiSelect, Stack } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { eventTypes, isEventType } from '../../shared/event.ts'
import { useEventName } from '../event/event-name.ts'
import { useTranslation } from '../language/translation.ts'
import { DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'

const Fields = z.object({
  url: z.string().trim().min(1).max(2048),
  description: z.string().trim().max(200),
  types: z.array(z.string()),
})

type Values = { url: string; description: string; types: (typeof eventTypes)[number][] }

type EndpointFormProps = {
  values: { url: string; description: string; types: readonly string[] }
  action: string
  isPending: boolean
  error: unknown
  onSubmit: (values: Values) => void
  onClose: () => void
}

/** URL, description and event types of an endpoint, for adding and changing one. */
export function EndpointForm({ values, action, isPending, error, onSubmit, onClose }: EndpointFormProps) {
  const { t } = useTranslation()
  const nameOf = useEventName()
  const form = useScreenForm(Fields, { defaultValues: { ...values, types: [...values.types] } })
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(({ types, ...sent }) => onSubmit({ ...sent, types: types.filter(isEventType) }))}
    >
      <Stack gap="md">
        <Field
          form={form}
          name="url"
          type="url"
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          spellCheck={false}
          data-autofocus
        />
        <Field form={form} name="description" label={t('webhooks.description')} />
        <Controller
          control={form.control}
          name="types"
          render={({ field: { ref: _ref, ...field } }) => (
            <MultiSelect
              {...field}
              label={t('webhooks.types')}
              description={t('webhooks.typesHint')}
              searchable
              selectFirstOptionOnChange
              clearable
              hidePickedOptions
              nothingFoundMessage={t('webhooks.noType')}
              // The list itself scrolls inside the dialog: screen readers support a list, not a scroll area around one.
              withScrollArea={false}
              styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
              comboboxProps={{ withinPortal: false }}
              data={eventTypes.map((type) => ({ value: type, label: `${nameOf(type)} (${type})` }))}
            />
          )}
        />
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
