import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import type { Subscription } from './billing-scope.ts'

/** Moves a subscription to the user's own account or to one of the user's organizations. */
export function TransferSubscription({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { t } = useTranslation()
  const [organizationId, setOrganizationId] = useState('')
  const organizations = trpc.organization.mine.useQuery()
  const transfer = trpc.payment.transferSubscription.useMutation({
    onSuccess: onClose,
  })
  const target = organizationId === '' ? {} : { organizationId }
  return (
    <Dialog title={t('billing.transfer')} onClose={onClose}>
      <Stack gap="md">
        <Text>{t('billing.transferDescription')}</Text>
        <NativeSelect
          rightSection={<ChevronIcon />}
          label={t('billing.transferTo')}
          value={organizationId}
          data-autofocus
          onChange={({ currentTarget }) => setOrganizationId(currentTarget.value)}
          data={[
            { value: '', label: t('billing.myAccount') },
            ...(organizations.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <ErrorMessage error={transfer.error ?? organizations.error} />
        <DialogActions onClose={onClose}>
          <Button
            loading={transfer.isPending}
            onClick={() => transfer.mutate({ subscriptionId: subscription.id, ...target })}
          >
            {t('billing.transfer')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
