import { ruScreens } from './ru-screens.ts'
import { ruSignIn } from './ru-sign-in.ts'
import { merged, type Texts } from './texts.ts'

/** All texts in this language. */
export const ru: Texts = merged(ruSignIn, ruScreens)
