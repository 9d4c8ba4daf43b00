import type { EventType } from '../../shared/event.ts'
import { useTranslation } from '../language/translation.ts'

/** Returns the name of an event type in the reader's language. */
export function useEventName(): (type: EventType) => string {
  const { t } = useTranslation()
  return (type) => t(`event.${keyOf(type)}`)
}

/** Converts an event type to a catalogue key: a dot separates the parts of a key. */
function keyOf<Type extends EventType>(type: Type) {
  return type.replace('.', '_') as Type extends `${infer Group}.${infer Name}` ? `${Group}_${Name}` : never
}
