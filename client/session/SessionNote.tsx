import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'

/** When a session was last renewed, and from which address. */
export function SessionNote({ updatedAt, ipAddress }: { updatedAt: string; ipAddress: string | null | undefined }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return (
    <>
      {t('sessions.lastRenewed', { time: dateFormat.minute(updatedAt) })}
      <br />
      {ipAddress}
    </>
  )
}
