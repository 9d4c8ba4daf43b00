import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'

type Options = {
  discount_code?: string | undefined
  customer_business_name?: string | undefined
  tax_id?: string | undefined
}

type CheckoutOptionsProps = {
  product: { id: string; name: string }
  error: unknown
  isPending: boolean
  onSubmit: (options: Options) => void
  onClose: () => void
}

/** Optional checkout data besides the product: a discount code, and the company for the invoice. */
export function CheckoutOptions({ product, error, isPending, onSubmit, onClose }: CheckoutOptionsProps) {
  const { t } = useTranslation()
  const { client } = trpc.useUtils()
  const [values, setValues] = useState({ discount: '', company: '', taxId: '' })
  const [isInvalid, setInvalid] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [isChecking, setChecking] = useState(false)
  const set = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value })
  const submit = async () => {
    if (isChecking || isPending) return
    const code = values.discount.trim()
    setFailure(undefined)
    setChecking(true)
    try {
      const found = code === '' || (await client.payment.checkDiscount.query({ code, productId: product.id })).isValid
      setInvalid(!found)
      if (!found) return
    } catch (problem) {
      setFailure(problem)
      return
    } finally {
      setChecking(false)
    }
    onSubmit({
      discount_code: code || undefined,
      customer_business_name: values.company.trim() || undefined,
      tax_id: values.taxId.trim() || undefined,
    })
  }
  return (
    <Dialog title={t('billing.optionsTitle', { name: product.name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('billing.discount')}
            value={values.discount}
            data-autofocus
            autoComplete="off"
            maxLength={100}
            error={isInvalid && t('field.invalid')}
            onChange={set('discount')}
          />
          <TextInput
            label={t('billing.company')}
            value={values.company}
            autoComplete="organization"
            maxLength={250}
            onChange={set('company')}
          />
          <TextInput
            label={t('billing.taxId')}
            value={values.taxId}
            autoComplete="off"
            maxLength={50}
            onChange={set('taxId')}
          />
          <ErrorMessage error={failure ?? error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={isChecking || isPending}>
              {t('billing.continue')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
