import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { preferredLanguage } from '../../../shared/language.ts'
import { type PrerenderedPages, textsId } from '../../../shared/prerendered.ts'
import type { Config } from '../../config.ts'
import { branded } from './brand.ts'
import { escapeHtml } from './layout.ts'

/** Maximum number of providers next to the form, as in client/session/Providers.tsx. */
const maxShown = 4
/** From this number of providers on, buttons are compact. Fewer have wide buttons with their full text. */
const manyFrom = 3

/**
 * Writes the page in the browser's language, with the first screen as HTML, so that it is painted before any script
 * loads, and with a note for browsers without scripts.
 */
export function prerenderer(clientFolder: string, config: Config) {
  const { brand } = config
  const providers = config.shownProviders
  // The build renders screens with all ways to sign in. Without one of them, the first paint waits for the script.
  const hasAllWays = config.hasEmailPassword && config.mayResetPassword && config.emailCode !== 'off'
  const file = join(clientFolder, 'pages.json')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const all = text === undefined ? undefined : (JSON.parse(text) as PrerenderedPages)
  const texts = new Map(Object.entries(all?.texts ?? {}).map(([code, own]) => [code, textsElement(code, own)]))
  const screens = all && hasAllWays ? screensOf(all, providers) : undefined
  const style = `<style nonce="__NONCE__">${all?.style ?? ''}</style>`
  const notes = all?.notes ?? {}
  return (page: string, path: string, acceptLanguage: string | undefined): string => {
    const { code } = preferredLanguage(acceptLanguage)
    const written = noted(page, code, notes[code]).replace('</body>', (end) => `${texts.get(code) ?? ''}${end}`)
    const screen = screens?.get(`${code} ${path}`)
    if (!screen) return written
    return written
      .replace(/<title>.*?<\/title>/, () => `<title>${branded(screen.title, brand)}</title>${style}`)
      .replace(/<div id="root">[\s\S]*?<\/div>\s*<\/div>/, () => `<div id="root">${branded(screen.html, brand)}</div>`)
  }
}

/**
 * Titles and HTML by language and path, with the buttons of these providers. The HTML for other numbers of them is not
 * kept.
 */
function screensOf({ pages, buttons }: PrerenderedPages, providers: readonly string[]) {
  const form = providers.length === 0 ? 'none' : providers.length < manyFrom ? 'few' : 'many'
  const shown = providers.slice(0, maxShown)
  return new Map(
    Object.entries(pages).map(([key, { title, ...forms }]) => {
      const [code = ''] = key.split(' ')
      const texts = shown.map((id) => buttons[`${code} ${id}`]?.[form === 'few' ? 'few' : 'many'])
      const html = forms[providers.length > maxShown ? 'more' : form].replace('<!--providers-->', () => texts.join(''))
      return [key, { title, html }]
    }),
  )
}

/**
 * The element with the texts of the first visit in one language, so that the script contains those of none. Text of a
 * script element ends at `</script` (HTML Living Standard, 13.2.5.15).
 */
function textsElement(code: string, texts: unknown): string {
  const json = JSON.stringify(texts).replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="${textsId}" data-language="${code}">${json}</script>`
}

/** The page with the note for browsers without scripts, in this language. */
function noted(page: string, code: string, notes: PrerenderedPages['notes'][string] | undefined): string {
  if (!notes) return page
  return page
    .replace('<html lang="en"', `<html lang="${code}"`)
    .replace(/(<noscript><p[^>]*>)[^<]*/, (_, start: string) => start + escapeHtml(notes.scriptsOff))
    .replace(
      /(<p[^>]*id="unloaded"[^>]*>)[^<]*(<a[^>]*>)[^<]*/,
      (_, start: string, link: string) => `${start}${escapeHtml(notes.unloaded)} ${link}${escapeHtml(notes.tryAgain)}`,
    )
}
