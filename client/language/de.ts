import { deScreens } from './de-screens.ts'
import { deSignIn } from './de-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const de: Texts = merged(deSignIn, deScreens)
