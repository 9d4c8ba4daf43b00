import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../language/translation.ts'
import { refusalOf, requestIdOf } from '../api/call-errors.ts'
import { useReason } from './Refused.tsx'
import classes from './Failed.module.css'

/** Calls back when the browser is online again, so that failed content is loaded without a click. */
export function useOnline(callback: (() => void) | undefined): void {
  const latest = useRef(callback)
  useEffect(() => void (latest.current = callback), [callback])
  useEffect(() => {
    const call = () => latest.current?.()
    globalThis.addEventListener('online', call)
    return () => globalThis.removeEventListener('online', call)
  }, [])
}

/** A card for content that could not be loaded: the reason, the request's id for support, and a retry button. */
export function Failed({ error, onTryAgain }: { error: unknown; onTryAgain?: (() => void) | undefined }) {
  const { t } = useTranslation()
  const reason = useReason()(error)
  useOnline(onTryAgain)
  // Not a fault: an administrator acts as the user, and trying again would not help.
  if (refusalOf(error) === 'NOT_WHILE_IMPERSONATING') return <p className={classes.note}>{reason}</p>
  const id = requestIdOf(error)
  return (
    <div className={classes.card} role="alert">
      <p>{reason}</p>
      {id !== undefined && (
        <p className={classes.id}>
          {t('failure.requestId')} <code>{id}</code>
        </p>
      )}
      {onTryAgain && (
        <Button size="sm" variant="default" onClick={onTryAgain}>
          {t('common.tryAgain')}
        </Button>
      )}
    </div>
  )
}
