import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { ongoingStatuses } from '../../shared/payment.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import type { Subscription } from './billing-scope.ts'
import { CancelSubscription } from './CancelSubscription.tsx'
import { ChangePlan } from './ChangePlan.tsx'
import { TransferSubscription } from './TransferSubscription.tsx'

/** The menu of a subscription that is still charged: plan, payment method, transfer, cancellation or resumption. */
export function ManageSubscription({ subscription, name }: { subscription: Subscription; name: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'cancel' | 'change' | 'transfer'>()
  const { id: subscriptionId } = subscription
  const resume = trpc.payment.resumeSubscription.useMutation()
  const payment = trpc.payment.updatePaymentMethod.useMutation({ onSuccess: ({ link }) => location.assign(link) })
  const close = () => setOpen(undefined)
  if (!ongoingStatuses.some((status) => status === subscription.status)) return null
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button variant="default" aria-label={t('billing.manage', { name })} rightSection={<ChevronIcon />}>
            {t('billing.manageShort')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {subscription.status === 'active' && !subscription.cancelAtNextBillingDate && (
            <Menu.Item onClick={() => setOpen('change')}>{t('billing.changePlan')}</Menu.Item>
          )}
          <Menu.Item closeMenuOnClick={false} onClick={() => payment.mutate({ subscriptionId })}>
            {t('billing.updatePayment')}
          </Menu.Item>
          <Menu.Item onClick={() => setOpen('transfer')}>{t('billing.transfer')}</Menu.Item>
          {subscription.cancelAtNextBillingDate ? (
            <Menu.Item closeMenuOnClick={false} onClick={() => resume.mutate({ subscriptionId })}>
              {t('billing.resume')}
            </Menu.Item>
          ) : (
            <Menu.Item color="var(--danger)" onClick={() => setOpen('cancel')}>
              {t('billing.cancel')}
            </Menu.Item>
          )}
          <ErrorMessage error={resume.error ?? payment.error} />
        </Menu.Dropdown>
      </Menu>
      {open === 'cancel' && <CancelSubscription subscription={subscription} name={name} onClose={close} />}
      {open === 'change' && <ChangePlan subscription={subscription} onClose={close} />}
      {open === 'transfer' && <TransferSubscription subscription={subscription} onClose={close} />}
    </>
  )
}
