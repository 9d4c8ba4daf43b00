import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldValues, useForm, type UseFormProps } from 'react-hook-form'
import type { z } from 'zod/mini'

/**
 * A form validated by a shared schema, on submit and then on every change. It does not validate on blur: the message
 * would appear and move the button that the user is about to click.
 */
export function useScreenForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.core.$ZodType<Output, Input>,
  options: Omit<UseFormProps<Input, unknown, Output>, 'resolver'>,
) {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), ...options })
}
