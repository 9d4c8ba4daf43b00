import { merged, type Texts } from './texts.ts'
import { trScreens } from './tr-screens.ts'
import { trSignIn } from './tr-sign-in.ts'

/** All texts in this language. */
export const tr: Texts = merged(trSignIn, trScreens)
