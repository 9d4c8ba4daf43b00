import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useTranslation } from '../language/translation.ts'
import { Field } from '../ui/Form.tsx'

type CodeFieldProps<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>
  name: Path<Values>
  isRecovery: boolean
}

/** Field for a code of the authenticator app, an emailed code, or a recovery code. */
export function CodeField<Values extends FieldValues, Output>({
  form,
  name,
  isRecovery,
}: CodeFieldProps<Values, Output>) {
  const { t } = useTranslation()
  return isRecovery ? (
    <Field
      form={form}
      name={name}
      label={t('twoFactor.recoveryCode')}
      placeholder="abcde-fghij"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
    />
  ) : (
    <Field
      form={form}
      name={name}
      label={t('twoFactor.code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
    />
  )
}
