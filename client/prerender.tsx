import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { type LanguageCode, languages } from '../shared/language.ts'
import type { PrerenderedPages } from '../shared/prerendered.ts'
import { type ProviderId, providerIds } from '../shared/provider.ts'
import { queries } from './api/client.ts'
import { App } from './app/App.tsx'
import { router } from './app/routes.tsx'
import { readSignInTexts, setLanguage } from './language/i18n.ts'
import { translation } from './language/translation.ts'

// Run by the build: renders the first screens to HTML, in every language, so that they are painted before any script
// loads. The server inserts them into the page (server/http/pages/prerendered.ts).

const noncePlaceholder = '__NONCE__'
const paths = ['/sign-in', '/sign-up', '/forgot-password'] as const

/** Declarations of style attributes, which the Content Security Policy forbids, by the class that replaces them. */
const styles = new Map<string, string>()

async function render(path: string, language: LanguageCode, providers: readonly ProviderId[]): Promise<string> {
  await setLanguage(language)
  queries.session.get.setData(undefined, null)
  queries.session.options.setData(undefined, {
    emailPassword: true,
    emailCode: 'on',
    passwordReset: true,
    verificationEmail: true,
    emailChange: true,
    userDeletion: true,
    organizationCreation: true,
    passwordLength: { min: 8, max: 128 },
    providers: [...providers],
    hasPayments: false,
    hasCheckout: false,
    trustedOrigins: [],
    hasDevMailbox: false,
  })
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  await router.load()
  const html = withoutStyleAttributes(renderToString(<App nonce={noncePlaceholder} />))
  // If submitted before the script has loaded, a form would put the password into the URL. This method does nothing
  // here.
  return html.replaceAll(/<script.*?<\/script>/gs, '').replaceAll('<form ', '<form method="dialog" ')
}

/** Replaces each style attribute with a class. */
function withoutStyleAttributes(html: string): string {
  return html.replaceAll(/<[a-z][^>]*>/g, (tag) => {
    const declarations = / style="([^"]*)"/.exec(tag)?.[1]
    if (declarations === undefined) return tag
    const text = declarations.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
    const name = styles.get(text) ?? `pre${styles.size}`
    styles.set(text, name)
    const bare = tag.replace(/ style="[^"]*"/, '')
    return bare.includes(' class="')
      ? bare.replace(' class="', ` class="${name} `)
      : bare.replace(/^<([a-z0-9]+)/, `<$1 class="${name}"`)
  })
}

const button = /<button[^>]*data-provider="(\w+)".*?<\/button>/gs

/** Removes the buttons of the providers. The server inserts those that are configured. */
function template(html: string): string {
  let isFirst = true
  return html.replaceAll(button, () => {
    const placeholder = isFirst ? '<!--providers-->' : ''
    isFirst = false
    return placeholder
  })
}

/** Renders all first screens. */
export async function renderAll(): Promise<PrerenderedPages> {
  const pages: PrerenderedPages['pages'] = {}
  const buttons: PrerenderedPages['buttons'] = {}
  const notes: PrerenderedPages['notes'] = {}
  const texts: PrerenderedPages['texts'] = {}
  for (const { code } of languages) {
    await setLanguage(code)
    texts[code] = await readSignInTexts(code)
    const { t } = translation()
    notes[code] = {
      scriptsOff: t('starting.scriptsOff'),
      unloaded: t('starting.unloaded'),
      tryAgain: t('common.tryAgain'),
    }
    for (const path of paths) {
      const few = await render(path, code, providerIds.slice(0, 1))
      const many = await render(path, code, providerIds.slice(0, 3))
      const more = await render(path, code, providerIds)
      const title = /<title>(.*?)<\/title>/.exec(few)?.[1] ?? 'Foyer'
      const withoutTitle = (html: string) => html.replaceAll(/<title>.*?<\/title>/g, '')
      pages[`${code} ${path}`] = {
        title,
        none: withoutTitle(await render(path, code, [])),
        few: withoutTitle(template(few)),
        many: withoutTitle(template(many)),
        more: withoutTitle(template(more)),
      }
    }
    for (const id of providerIds) {
      const others = providerIds.filter((other) => other !== id).slice(0, 2)
      const alone = [...(await render('/sign-in', code, [id])).matchAll(button)]
      const beside = [...(await render('/sign-in', code, [id, ...others])).matchAll(button)]
      buttons[`${code} ${id}`] = {
        few: alone.find(([, name]) => name === id)?.[0] ?? '',
        many: beside.find(([, name]) => name === id)?.[0] ?? '',
      }
    }
  }
  // Style attributes have precedence over every rule, and these rules must have it over Mantine's.
  const style = [...styles].map(([declarations, name]) => `${`.${name}`.repeat(4)}{${declarations}}`).join('')
  return { notes, texts, style, pages, buttons }
}
