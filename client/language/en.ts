import { enCore } from './en-core.ts'
import { enShell } from './en-shell.ts'

/** All texts of the screens. The other languages share this shape, so a missing text is a compile error. */
export const en = { ...enCore, ...enShell }

export type Texts = typeof en
