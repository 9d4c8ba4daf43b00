import { Group, Menu } from '@mantine/core'
import { useState } from 'react'
import { ongoingStatuses } from '../../shared/payment.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { toneOfSubscription, useSubscriptionStatus } from '../payment/payment-status.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Facts, Row } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'

type Subscription = Outputs['admin']['userDetails']['subscriptions'][number]

/** The rows of a user's or an organization's subscriptions, which an administrator can cancel. */
export function OwnedSubscriptions({ subscriptions }: { subscriptions: Subscription[] }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const statusName = useSubscriptionStatus()
  const [selected, setSelected] = useState<{ subscription: Subscription; isImmediate: boolean }>()
  const end = trpc.admin.cancelSubscription.useMutation({
    onSuccess: () => {
      toast(t('admin.subscriptionCanceled'))
      setSelected(undefined)
    },
  })
  const nameOf = ({ productId, productName }: Subscription) => productName ?? productId
  return (
    <>
      {subscriptions.map((subscription) => {
        const { id, status, nextBillingDate, cancelAtNextBillingDate } = subscription
        const isOngoing = ongoingStatuses.some((ongoing) => ongoing === status)
        const isEnding = isOngoing && cancelAtNextBillingDate
        const select = (isImmediate: boolean) => () => setSelected({ subscription, isImmediate })
        return (
          <Row
            key={id}
            name={nameOf(subscription)}
            detail={
              isEnding && nextBillingDate !== null
                ? `${t('billing.endsOn', { day: dateFormat.day(nextBillingDate) })} · ${id}`
                : id
            }
            action={
              <Group gap="xs" wrap="nowrap">
                <Tag tone={toneOfSubscription({ status, isEntitled: isOngoing, cancelAtNextBillingDate })}>
                  {statusName(status)}
                </Tag>
                {isOngoing && (
                  <ActionsMenu name={nameOf(subscription)}>
                    {!isEnding && <Menu.Item onClick={select(false)}>{t('admin.cancelLater')}</Menu.Item>}
                    <Menu.Item color="var(--danger)" onClick={select(true)}>
                      {t('admin.cancelNow')}
                    </Menu.Item>
                  </ActionsMenu>
                )}
              </Group>
            }
          />
        )
      })}
      {selected && (
        <Confirm
          title={t('billing.cancelTitle', { name: nameOf(selected.subscription) })}
          description={t(selected.isImmediate ? 'admin.cancelNowDescription' : 'admin.cancelLaterDescription')}
          details={
            <Facts
              facts={[
                [t('installation.id'), <code key="id">{selected.subscription.id}</code>],
                ...(selected.subscription.nextBillingDate === null
                  ? []
                  : [
                      [t('billing.nextPayment'), dateFormat.day(selected.subscription.nextBillingDate)] as [
                        string,
                        string,
                      ],
                    ]),
              ]}
            />
          }
          action={t(selected.isImmediate ? 'admin.cancelNow' : 'admin.cancelLater')}
          dismiss={t('billing.keep')}
          isPending={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate({ subscriptionId: selected.subscription.id, isImmediate: selected.isImmediate })}
          onClose={() => setSelected(undefined)}
        />
      )}
    </>
  )
}
