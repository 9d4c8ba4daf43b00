import { Button } from '@mantine/core'
import { refusalOf } from '../api/call-errors.ts'
import { useTranslation } from '../language/translation.ts'
import { useReason } from './ErrorMessage.tsx'
import { RequestId } from './RequestId.tsx'
import { useOnline } from './use-online.ts'
import classes from './ErrorCard.module.css'

/** A card for content that could not be loaded: the reason, the request's id for support, and a retry button. */
export function ErrorCard({ error, onTryAgain }: { error: unknown; onTryAgain?: (() => void) | undefined }) {
  const { t } = useTranslation()
  const reason = useReason()(error)
  useOnline(onTryAgain)
  // Not a fault: an administrator acts as the user, and trying again would not help.
  if (refusalOf(error) === 'NOT_WHILE_IMPERSONATING') return <p className={classes.note}>{reason}</p>
  return (
    <div className={classes.card} role="alert">
      <p>{reason}</p>
      <RequestId error={error} />
      {onTryAgain && (
        <Button size="sm" variant="default" onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      )}
    </div>
  )
}
