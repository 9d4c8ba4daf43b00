import { requestIdOf } from '../api/call-errors.ts'
import { useTranslation } from '../language/translation.ts'
import classes from './RequestId.module.css'

/** The id under which the server logged a failed request, for support. Nothing if there was no response. */
export function RequestId({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const id = requestIdOf(error)
  if (id === undefined) return null
  return (
    <p className={classes.id}>
      {t('failure.requestId')} <code>{id}</code>
    </p>
  )
}
