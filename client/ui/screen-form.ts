import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormProps } from 'react-hook-form'
import type { z } from 'zod/mini'

/**
 * A form validated by a shared schema, on submit and then on every change. It does not validate on blur: the message
 * would appear and move the button that the user is about to click. The default values are in the order of the screen:
 * of several fields with a message, the first gets the focus.
 */
export function useScreenForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.core.$ZodType<Output, Input>,
  options: Omit<UseFormProps<Input, unknown, Output>, 'resolver' | 'defaultValues'> & {
    defaultValues: DefaultValues<Input>
  },
) {
  const form = useForm<Input, unknown, Output>({ resolver: zodResolver(schema), ...options })
  // A field that is rendered by a component of its own would be registered after those of the form itself.
  useState(() => {
    for (const name of Object.keys(options.defaultValues)) form.register(name as Path<Input>)
  })
  return form
}
