import Bowser from 'bowser'

/** Browser and operating system names, undefined if unknown. The screens phrase them (`Edge on Windows`). */
export function browserAndSystemOf(userAgent: string): { browser: string | undefined; system: string | undefined } {
  // The parser throws on an empty string.
  if (userAgent.trim() === '') return { browser: undefined, system: undefined }
  const { browser, os } = Bowser.parse(userAgent)
  // For an unknown user agent the parser returns its text, which anyone can choose, and which would appear in emails.
  const name = browserNames.has(browser.name ?? '') ? browser.name?.replace('Microsoft ', '') : undefined
  return { browser: name, system: systemNames.has(os.name ?? '') ? os.name : undefined }
}

const browserNames = new Set(Object.values(Bowser.BROWSER_MAP))
const systemNames = new Set(Object.values(Bowser.OS_MAP))

/** Same as `browserAndSystemOf`, with null for unknown values. */
export function browserAndSystem(userAgent: string): { browser: string | null; system: string | null } {
  const { browser = null, system = null } = browserAndSystemOf(userAgent)
  return { browser, system }
}
