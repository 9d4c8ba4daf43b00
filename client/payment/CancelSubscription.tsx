import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { cancellationReasons } from '../../shared/payment.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import type { Subscription } from './billing-scope.ts'

/** Cancels a subscription at the end of the paid period, with an optional reason. */
export function CancelSubscription({
  subscription,
  name,
  onClose,
}: {
  subscription: Subscription
  name: string
  onClose: () => void
}) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [feedback, setFeedback] = useState<(typeof cancellationReasons)[number]>()
  const [comment, setComment] = useState('')
  const cancel = trpc.payment.cancelSubscription.useMutation({ onSuccess: onClose })
  const { id: subscriptionId, nextBillingDate } = subscription
  const sent = { subscriptionId, feedback, comment: comment.trim() || undefined }
  return (
    <Dialog title={t('billing.cancelTitle', { name })} onClose={onClose}>
      <Stack gap="md">
        <Text>
          {!subscription.isEntitled
            ? t('billing.cancelDescriptionInactive')
            : nextBillingDate === null
              ? t('billing.cancelDescriptionNoDay')
              : t('billing.cancelDescription', { day: dateFormat.day(nextBillingDate) })}
        </Text>
        <NativeSelect
          rightSection={<ChevronIcon />}
          label={t('billing.reason')}
          value={feedback ?? ''}
          onChange={({ currentTarget }) =>
            setFeedback(cancellationReasons.find((reason) => reason === currentTarget.value))
          }
          data={[
            { value: '', label: t('billing.chooseReason') },
            ...cancellationReasons.map((reason) => ({ value: reason, label: t(`billing.reasons.${reason}`) })),
          ]}
        />
        <Textarea
          label={t('billing.comment')}
          value={comment}
          maxLength={500}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
        />
        <ErrorMessage error={cancel.error} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('billing.keep')}
          </Button>
          <Button color="danger" loading={cancel.isPending} onClick={() => cancel.mutate(sent)}>
            {t('billing.cancel')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
