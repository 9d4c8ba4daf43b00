import { disputeStatuses } from '../../shared/payment.ts'
import { useTranslation } from '../language/translation.ts'
import { Tag, type Tone } from '../ui/Tag.tsx'

/** The status of a dispute. An unknown one is shown as the provider calls it. */
export function DisputeTag({ status }: { status: string | null }) {
  const { t } = useTranslation()
  const known = disputeStatuses.find((name) => name === status)
  return <Tag tone={toneOf(status)}>{known ? t(`admin.${known}`) : (status ?? '—')}</Tag>
}

/** The color of a dispute's status. An open dispute needs a response. */
function toneOf(status: string | null): Tone {
  if (status === 'dispute_opened' || status === 'dispute_challenged') return 'attention'
  if (status === 'dispute_lost' || status === 'dispute_accepted') return 'bad'
  return status === 'dispute_won' ? 'good' : 'neutral'
}
