/** The id of the element with the texts of the first visit, as JSON. Its `data-language` is their language. */
export const textsId = 'texts'

/** The first screens as the build renders them to HTML. */
export type PrerenderedPages = {
  /** Notes shown by the page, by language, if scripts are off or have not loaded. */
  notes: Record<string, { scriptsOff: string; unloaded: string; tryAgain: string }>
  /** The texts of the first visit, by language. */
  texts: Record<string, unknown>
  /** Rules for the classes that replace style attributes. */
  style: string
  /** By `language path`. With providers, `<!--providers-->` marks the position of their buttons. */
  pages: Record<string, { title: string; none: string; few: string; many: string; more: string }>
  /** The buttons of the providers by `language id`: for one or two providers, and narrower ones for more. */
  buttons: Record<string, { few: string; many: string }>
}
