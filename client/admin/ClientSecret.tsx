import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/Dialog.tsx'

type ClientSecretProps = { id: string; secret: string | null; onClose: () => void }

/** Shows the id of a client and, only this time, its secret. */
export function ClientSecret({ id, secret, onClose }: ClientSecretProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 4000 })
  return (
    <Dialog
      title={t('clients.credentials')}
      {...(secret !== null && { lead: t('clients.secretOnce') })}
      onClose={onClose}
    >
      <Stack gap="md">
        <TextInput
          readOnly
          value={id}
          label={t('clients.id')}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        {secret !== null && (
          <TextInput
            readOnly
            value={secret}
            label={t('clients.secret')}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        <Text component="output" c="var(--good)" fz="sm">
          {clipboard.copied ? t('billing.copied') : ''}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => clipboard.copy(secret ?? id)}>
            {secret === null ? t('clients.copyId') : t('clients.copySecret')}
          </Button>
          <Button onClick={onClose}>{t('common.done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
