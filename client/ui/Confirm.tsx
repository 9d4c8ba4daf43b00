import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from './Dialog.tsx'
import { ErrorMessage } from './ErrorMessage.tsx'

type ConfirmProps = {
  title: string
  description: string
  /** Details of the action, below the explanation. */
  details?: ReactNode
  action: string
  /** The button that changes nothing, if "Cancel" could be mistaken for the action. */
  dismiss?: string
  isPending: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Confirmation dialog for an irreversible action. Cancel has the initial focus. */
export function Confirm({
  title,
  description,
  details,
  action,
  dismiss,
  isPending,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap="md">
        <Text>{description}</Text>
        {details}
        <ErrorMessage error={error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {dismiss ?? t('common.cancel')}
          </Button>
          <Button color="danger" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
