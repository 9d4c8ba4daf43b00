import { Button } from '@mantine/core'
import { useTranslation } from '../language/translation.ts'
import { SelectionBar, BatchError } from '../ui/SelectionBar.tsx'
import { useForEach } from '../ui/use-for-each.ts'
import { saveInvoice } from './invoices.ts'

/** Saves the invoices of the selected payments, one after the other. */
export function SelectedPayments({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation()
  const saving = useForEach(ids)
  const saveAll = async () => {
    if (await saving.run(saveInvoice)) onDone()
  }
  return (
    <SelectionBar count={ids.length}>
      <Button size="sm" variant="default" loading={saving.isBusy} onClick={() => void saveAll()}>
        {t('billing.saveInvoices')}
      </Button>
      <BatchError failure={saving.failure} total={saving.affected.length} />
    </SelectionBar>
  )
}
