import { merged, type Texts } from './texts.ts'
import { ukScreens } from './uk-screens.ts'
import { ukSignIn } from './uk-sign-in.ts'

/** All texts in this language. */
export const uk: Texts = merged(ukSignIn, ukScreens)
