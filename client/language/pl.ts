import { plScreens } from './pl-screens.ts'
import { plSignIn } from './pl-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const pl: Texts = merged(plSignIn, plScreens)
