import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import { EyeIcon, EyeOffIcon } from './icons.tsx'

export type PasswordProps = PasswordInputProps & { autoComplete: 'current-password' | 'new-password' }

/** A password input with a visibility toggle that can be reached with the keyboard. */
export function PasswordControl(props: PasswordProps) {
  const { t } = useTranslation()
  const [hasCapsLock, setCapsLock] = useState(false)
  return (
    <PasswordInput
      {...props}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      {...(hasCapsLock && props.error === undefined && { error: t('field.capsLock') })}
      onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      visibilityToggleIcon={VisibilityIcon}
      visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword'), tabIndex: 0 }}
    />
  )
}

function VisibilityIcon({ reveal }: { reveal: boolean }) {
  return reveal ? <EyeOffIcon /> : <EyeIcon />
}
