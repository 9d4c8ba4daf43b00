import type { ScreenTexts } from './en-screens.ts'
import type { SignInTexts } from './en-sign-in.ts'

/** All texts of the screens, in groups. The other languages share this shape, so a missing text is a compile error. */
export type Texts = SignInTexts & ScreenTexts

/** The texts of the first visit together with the others. Groups of the same name are merged. */
export function merged(signIn: SignInTexts, screens: ScreenTexts): Texts {
  const groups: Record<string, object> = { ...signIn }
  for (const [name, texts] of Object.entries(screens)) groups[name] = { ...groups[name], ...texts }
  return groups as Texts
}
