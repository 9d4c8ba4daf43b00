/** The first screens as the build renders them to HTML. */
export type PrerenderedPages = {
  /** What the page says, by language, if scripts are off or have not arrived. */
  notes: Record<string, { scriptsOff: string; unloaded: string; tryAgain: string }>
  /** Rules for the classes that take the place of style attributes. */
  style: string
  /** By `language path`. With providers, `<!--providers-->` marks the place of their buttons. */
  pages: Record<string, { title: string; none: string; few: string; many: string; more: string }>
  /** The buttons of the providers by `language id`: of one or two, and of more, where they are narrower. */
  buttons: Record<string, { few: string; many: string }>
}
