import type { RefusalKey } from '../../shared/errors.ts'
import { enScreens } from './en-screens.ts'
import { enSignIn } from './en-sign-in.ts'
import { merged, type Texts } from './texts.ts'

export const en: Texts & { refusal: Record<RefusalKey, string> } = merged(enSignIn, enScreens)
