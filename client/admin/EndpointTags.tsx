import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { Tag } from '../ui/Tag.tsx'

type EndpointTagsProps = { endpoint: { enabled: boolean; failingSince: string | null } }

/** Tags for the noteworthy states of an endpoint. */
export function EndpointTags({ endpoint: { enabled, failingSince } }: EndpointTagsProps) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  return (
    <>
      {!enabled && <Tag tone="bad">{t('webhooks.disabled')}</Tag>}
      {enabled && failingSince !== null && (
        <Tag tone="attention">{t('webhooks.failing', { when: dateFormat.day(failingSince) })}</Tag>
      )}
    </>
  )
}
