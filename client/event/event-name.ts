import { useTranslation } from 'react-i18next'
import type { EventType } from '../../shared/event.ts'

/** Returns the name of an event type in the reader's language. */
export function useEventName(): (type: EventType) => string {
  const { t } = useTranslation()
  return (type) => t(`event.${keyOf(type)}`)
}

/** Converts an event type to a catalogue key: i18next treats a dot as a separator. */
function keyOf<Type extends EventType>(type: Type) {
  return type.replace('.', '_') as Type extends `${infer Group}.${infer Name}` ? `${Group}_${Name}` : never
}
