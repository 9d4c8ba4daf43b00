import { frScreens } from './fr-screens.ts'
import { frSignIn } from './fr-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const fr: Texts = merged(frSignIn, frScreens)
