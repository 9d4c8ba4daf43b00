import Bowser from 'bowser'

/** Names of browser and operating system, null if unknown. The screens phrase them (`Edge on Windows`). */
export function browserAndSystemOf(userAgent: string): { browser: string | null; system: string | null } {
  // The parser throws on an empty string.
  if (userAgent.trim() === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  // For an unknown user agent the parser returns its text, which anyone can choose, and which would appear in emails.
  const { name: browserName = '' } = browser
  const { name: systemName = '' } = os
  return {
    browser: browserNames.has(browserName) ? browserName.replace('Microsoft ', '') : null,
    system: systemNames.has(systemName) ? systemName : null,
  }
}

const browserNames = new Set(Object.values(Bowser.BROWSER_MAP))
const systemNames = new Set(Object.values(Bowser.OS_MAP))
