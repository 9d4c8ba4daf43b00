import Bowser from 'bowser'

/** Browser and system in words (`Edge on Windows` is for the screens to phrase); undefined where nothing is known. */
export function deviceOf(userAgent: string): { browser: string | undefined; system: string | undefined } {
  // The parser throws on an empty text.
  if (userAgent.trim() === '') return { browser: undefined, system: undefined }
  const { browser, os } = Bowser.parse(userAgent)
  const name = browser.name?.replace('Microsoft ', '')
  return { browser: name || undefined, system: os.name || undefined }
}

/** The same for screens: null where nothing is known. */
export function deviceNames(userAgent: string): { browser: string | null; system: string | null } {
  const { browser = null, system = null } = deviceOf(userAgent)
  return { browser, system }
}
