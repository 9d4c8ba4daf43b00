import { TextInput, type TextInputProps } from '@mantine/core'
import { useWatch, type FieldError, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import { refusalOf } from '../api/call-errors.ts'
import { hasText, useTranslation } from '../language/translation.ts'
import { refusedField } from './ErrorMessage.tsx'
import { PasswordControl, type PasswordProps } from './PasswordControl.tsx'

/** Shows a refusal at the field it concerns. */
export function setFieldError<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
  names: readonly Path<Values>[],
): void {
  const name = refusedField(error, names)
  const key = refusalOf(error)
  if (name !== undefined && key !== undefined) form.setError(name, { message: key }, { shouldFocus: true })
}

/** Returns the translated validation message of a field. */
export function useFieldMessage() {
  const { t } = useTranslation()
  return (error: FieldError | undefined, value: unknown): string | undefined => {
    if (!error) return undefined
    if (value === undefined || value === '') return t('field.required')
    const key = `refusal.${error.message}`
    if (hasText(key)) return t(key)
    // A check of a screen's own names its text.
    if (error.message !== undefined && hasText(error.message)) return t(error.message)
    return error.type === 'too_big' ? t('field.tooLong') : t('field.invalid')
  }
}

type FieldProps<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>
  name: Path<Values>
}

/** Registers a field of a form, with its validation message. */
function useField<Values extends FieldValues, Output>({
  form,
  name,
  isEmail = false,
  onValue,
}: FieldProps<Values, Output> & { isEmail?: boolean; onValue?: ((value: string) => void) | undefined }) {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const value: unknown = useWatch({ control: form.control, name })
  const { error } = form.getFieldState(name, form.formState)
  const message = messageOf(error, value)
  const isUnspecific = isEmail && message === t('field.invalid')
  const options = onValue && { onChange: (event: { target: { value: string } }) => onValue(event.target.value) }
  return { ...form.register(name, options), error: isUnspecific ? t('refusal.INVALID_EMAIL') : message }
}

type TextFieldProps = Omit<TextInputProps, 'form' | 'name' | 'error'> & {
  /** What a check while typing has found, shown in place of the validation message. */
  problem?: string | undefined
  /** Called with what is typed. */
  onValue?: (value: string) => void
}

/** A text field of a form. */
export function Field<Values extends FieldValues, Output>({
  form,
  name,
  problem,
  onValue,
  ...input
}: FieldProps<Values, Output> & TextFieldProps) {
  const { error, ...registered } = useField({ form, name, isEmail: input.type === 'email', onValue })
  return <TextInput {...registered} {...input} error={problem ?? error} />
}

/** A password field of a form. */
export function PasswordField<Values extends FieldValues, Output>({
  form,
  name,
  ...input
}: FieldProps<Values, Output> & Omit<PasswordProps, 'form' | 'name'>) {
  return <PasswordControl {...useField({ form, name })} {...input} />
}
