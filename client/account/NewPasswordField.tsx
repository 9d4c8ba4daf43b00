import { useWatch, type Path, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from '../language/translation.ts'
import { PasswordField } from '../ui/Form.tsx'
import { usePasswordRule } from './password-rule.ts'
import { Strength } from './Strength.tsx'

type NewPasswordFieldProps<Values extends { password: string }, Output> = {
  form: UseFormReturn<Values, unknown, Output>
  label: string
  autoFocus?: boolean
}

/** The field of a new password, with its minimum length and an estimate of its strength. */
export function NewPasswordField<Values extends { password: string }, Output>({
  form,
  label,
  autoFocus = false,
}: NewPasswordFieldProps<Values, Output>) {
  const { t } = useTranslation()
  const { min } = usePasswordRule()
  const name = 'password' as Path<Values>
  const password: string = useWatch({ control: form.control, name })
  return (
    <>
      <PasswordField
        form={form}
        name={name}
        label={label}
        description={t('signUp.passwordHint', { min })}
        autoComplete="new-password"
        autoFocus={autoFocus}
        // In a dialog, whose Cancel would have the focus.
        data-autofocus={autoFocus || undefined}
      />
      <Strength password={password} />
    </>
  )
}
