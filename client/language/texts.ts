import type { ScreenTexts } from './en-screens.ts'
import type { SignInTexts } from './en-sign-in.ts'

/** All texts of the screens, in groups. The other languages share this shape, so a missing text is a compile error. */
export type Texts = SignInTexts & ScreenTexts

/** The texts of the first visit together with the others. The compiler finds a group of both that is not merged. */
export function merged(signIn: SignInTexts, screens: ScreenTexts): Texts {
  return {
    ...signIn,
    ...screens,
    common: { ...signIn.common, ...screens.common },
    reauthenticate: { ...signIn.reauthenticate, ...screens.reauthenticate },
    refusal: { ...signIn.refusal, ...screens.refusal },
    passkeys: { ...signIn.passkeys, ...screens.passkeys },
  }
}
