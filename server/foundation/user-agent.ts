import Bowser from 'bowser'

/** Browser and operating system names, undefined if unknown. The screens phrase them (`Edge on Windows`). */
export function deviceOf(userAgent: string): { browser: string | undefined; system: string | undefined } {
  // The parser throws on an empty string.
  if (userAgent.trim() === '') return { browser: undefined, system: undefined }
  const { browser, os } = Bowser.parse(userAgent)
  const name = browser.name?.replace('Microsoft ', '')
  return { browser: name || undefined, system: os.name || undefined }
}

/** Same as `deviceOf`, with null for unknown values. */
export function deviceNames(userAgent: string): { browser: string | null; system: string | null } {
  const { browser = null, system = null } = deviceOf(userAgent)
  return { browser, system }
}
