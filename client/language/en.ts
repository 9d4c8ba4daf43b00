import type { RefusalKey } from '../../shared/errors.ts'
import { enScreens } from './en-screens.ts'
import { enSignIn } from './en-sign-in.ts'

/** All texts of the screens. The other languages share this shape, so a missing text is a compile error. */
export const en = {
  ...enSignIn,
  ...enScreens,
  forgot: { ...enSignIn.forgot, ...enScreens.forgot },
  reauthenticate: { ...enSignIn.reauthenticate, ...enScreens.reauthenticate },
  refusal: { ...enSignIn.refusal, ...enScreens.refusal } satisfies Record<RefusalKey, string>,
  passkeys: { ...enSignIn.passkeys, ...enScreens.passkeys },
}

export type Texts = typeof en
