import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from './Dialog.tsx'

type SecretDialogProps = {
  title: string
  description?: string | undefined
  /** The values shown, each selectable. The button copies the last one. */
  values: { label: string; value: string }[]
  /** Label of the button. */
  copy: string
  onClose: () => void
}

/** Shows a new key or secret, which is shown only once. */
export function SecretDialog({ title, description, values, copy, onClose }: SecretDialogProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 4000 })
  return (
    <Dialog title={title} {...(description !== undefined && { description })} isPersistent onClose={onClose}>
      <Stack gap="md">
        {values.map(({ label, value }, n) => (
          <TextInput
            key={label}
            readOnly
            value={value}
            label={label}
            onFocus={(event) => event.currentTarget.select()}
            data-autofocus={n === values.length - 1 || undefined}
          />
        ))}
        <Text component="output" c="var(--good)" fz="sm">
          {clipboard.copied ? t('common.copied') : ''}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => clipboard.copy(values.at(-1)?.value ?? '')}>
            {copy}
          </Button>
          <Button onClick={onClose}>{t('common.done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
