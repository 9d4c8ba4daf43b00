import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './RadioCards.module.css'

export type RadioCard<Value extends string> = { value: Value; label: ReactNode; description?: ReactNode }

type Props<Value extends string> = {
  label: string
  value: Value
  cards: readonly RadioCard<Value>[]
  onChange: (value: Value) => void
}

/** Radio buttons as cards, each with a description. In a dialog, the selected one is focused first. */
export function RadioCards<Value extends string>({ label, value, cards, onChange }: Props<Value>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => onChange(cards.find((card) => card.value === chosen)?.value ?? value)}
    >
      <Stack gap="xs" className={classes.cards}>
        {cards.map((card) => (
          <Radio
            key={card.value}
            className={classes.card ?? ''}
            size="sm"
            value={card.value}
            label={card.label}
            description={card.description}
            data-autofocus={card.value === value || undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
