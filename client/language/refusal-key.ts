import type { RefusalKey } from '../../shared/errors.ts'
import { enCore } from './en-core.ts'

/** Whether a text is the key of a refusal. By its texts, which are there anyway: the table of all refusals is not. */
export function isRefusalKey(text: string): text is RefusalKey {
  return Object.hasOwn(enCore.refusal, text)
}
