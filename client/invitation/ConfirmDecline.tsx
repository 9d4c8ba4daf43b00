import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'

type ConfirmDeclineProps = {
  organization: string
  call: { isPending: boolean; error: unknown }
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an invitation is declined, which cannot be undone. */
export function ConfirmDecline({ organization, call, onConfirm, onClose }: ConfirmDeclineProps) {
  const { t } = useTranslation()
  return (
    <Confirm
      title={t('invitation.declineTitle', { organization })}
      description={t('invitation.declineDescription')}
      action={t('invitation.decline')}
      isPending={call.isPending}
      error={call.error}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
