import { Pill, PillsInput } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from '../language/translation.ts'
import { useReason } from '../ui/ErrorMessage.tsx'
import { type EmailEntry, emailEntriesOf } from './email-entries.ts'
import classes from './Invite.module.css'

type EmailsFieldProps = {
  entries: readonly EmailEntry[]
  onChange: (entries: EmailEntry[]) => void
  /** Text that is not an address yet. */
  typed: string
  onType: (typed: string) => void
  /** Addresses that could not be invited, with the error. */
  refused: ReadonlyMap<string, unknown>
  disabled: boolean
  inputRef: RefObject<HTMLInputElement | null>
}

/** The entries so far, and those in the text, each once. */
export function withTyped(entries: readonly EmailEntry[], text: string): EmailEntry[] {
  const known = new Set(entries.map((one) => one.text))
  return [...entries, ...emailEntriesOf(text).filter((one) => !known.has(one.text))]
}

/** Takes several email addresses, typed or pasted, and shows each as a chip that can be removed. */
export function EmailsField({ entries, onChange, typed, onType, refused, disabled, inputRef }: EmailsFieldProps) {
  const { t } = useTranslation()
  const problems = useProblems(entries, refused)
  const take = (text: string) => {
    onChange(withTyped(entries, text))
    onType('')
  }
  const remove = (text: string) => onChange(entries.filter((one) => one.text !== text))
  return (
    <PillsInput
      size="md"
      label={t('invite.emails')}
      description={t('invite.emailsHint')}
      disabled={disabled}
      classNames={{ input: classes.addresses ?? '' }}
      error={
        problems.length > 0 && (
          <span role="alert" className={classes.problems}>
            {problems.map((problem) => (
              <span key={problem}>{problem}</span>
            ))}
          </span>
        )
      }
    >
      <Pill.Group>
        {entries.map(({ text, isValid }) => (
          <Pill
            key={text}
            withRemoveButton={!disabled}
            removeButtonProps={{
              'aria-label': t('invite.removeEmail', { email: text }),
              tabIndex: 0,
              'aria-hidden': false,
            }}
            className={classes.chip ?? ''}
            mod={{ bad: !isValid || refused.has(text) }}
            onRemove={() => remove(text)}
          >
            {text}
          </Pill>
        ))}
        <PillsInput.Field
          ref={inputRef}
          inputMode="email"
          autoComplete="off"
          data-autofocus
          disabled={disabled}
          aria-invalid={problems.length > 0}
          value={typed}
          onChange={(event) => {
            const { value } = event.currentTarget
            if (endsEmail(value)) take(value)
            else onType(value)
          }}
          onPaste={(event) => {
            event.preventDefault()
            take(typed + event.clipboardData.getData('text'))
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed.trim() !== '') {
              event.preventDefault()
              take(typed)
            }
            const last = entries.at(-1)
            if (event.key === 'Backspace' && typed === '' && last) remove(last.text)
          }}
        />
      </Pill.Group>
    </PillsInput>
  )
}

/** One line for all texts that are no email addresses, and one for each that was refused. */
function useProblems(entries: readonly EmailEntry[], refused: ReadonlyMap<string, unknown>): string[] {
  const { t } = useTranslation()
  const reasonOf = useReason()
  const invalid = entries.filter(({ isValid }) => !isValid).map(({ text }) => text)
  return [
    ...(invalid.length > 0 ? [t('invite.notAnEmail', { text: invalid.join(', ') })] : []),
    ...entries.filter(({ text }) => refused.has(text)).map(({ text }) => `${text}: ${reasonOf(refused.get(text))}`),
  ]
}

/** Whether the last address is terminated by a separator, outside quotation marks and angle brackets. */
function endsEmail(typed: string): boolean {
  const isOpen = typed.split('"').length % 2 === 0 || typed.lastIndexOf('<') > typed.lastIndexOf('>')
  return !isOpen && /[,;\n]|>\s*$|@[^\s<>]+\s$/.test(typed)
}
