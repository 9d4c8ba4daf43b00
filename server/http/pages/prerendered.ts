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
  const form = providers.length === 0 ? 'none' : providers.length < manyFrom ? 'few' : 'many'
  return (page: string, path: string, acceptLanguage: string | undefined): string => {
    const { code } = preferredLanguage(acceptLanguage)
    const written = noted(page, code, all?.notes[code]).replace('</body>', (end) => `${texts.get(code) ?? ''}${end}`)
    const found = all?.pages[`${code} ${path}`]
    if (!all || !found || !hasAllWays) return written
    const shown = providers
      .slice(0, maxShown)
      .map((id) => all.buttons[`${code} ${id}`]?.[form === 'few' ? 'few' : 'many'])
    const html = found[providers.length > maxShown ? 'more' : form].replace('<!--providers-->', () => shown.join(''))
    return written
      .replace(
        /<title>.*?<\/title>/,
        () => `<title>${branded(found.title, brand)}</title><style nonce="__NONCE__">${all.style}</style>`,
      )
      .replace(/<div id="root">[\s\S]*?<\/div>\s*<\/div>/, () => `<div id="root">${branded(html, brand)}</div>`)
  }
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
