import { esScreens } from './es-screens.ts'
import { esSignIn } from './es-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const es: Texts = merged(esSignIn, esScreens)
