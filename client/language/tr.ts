import { trScreens } from './tr-screens.ts'
import { trSignIn } from './tr-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const tr: Texts = merged(trSignIn, trScreens)
