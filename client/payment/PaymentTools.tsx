import { useTranslation } from '../language/translation.ts'
import { TableFilter, TableFind } from '../ui/TableControls.tsx'
import { usePaymentChoices } from './payment-status.ts'

type PaymentToolsProps = {
  label: string
  search: { q?: string | undefined; status?: string | undefined }
  onFind: (q: string) => void
  onFilter: (changed: { status: string | undefined }) => void
}

/** Search and filter by status above a table of payments. */
export function PaymentTools({ label, search: { q = '', status = '' }, onFind, onFilter }: PaymentToolsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TableFind label={label} value={q} onFind={onFind} />
      <TableFilter
        label={t('common.status')}
        value={status}
        onFilter={(value) => onFilter({ status: value || undefined })}
        choices={usePaymentChoices()}
      />
    </>
  )
}
