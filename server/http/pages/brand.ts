import { type Brand, defaultProduct } from '../../../shared/brand.ts'
import { colors } from '../../../shared/theme.ts'
import { escapeHtml } from './layout.ts'

/** The client's page for this installation. Its name, logo and colors are visible before any script has loaded. */
export function brandedPage(page: string, brand: Brand): string {
  const { logoUrl = '', supportEmail = '' } = brand
  return branded(page, brand)
    .replace('data-logo=""', () => `data-logo="${escapeHtml(logoUrl)}"`)
    .replace('data-support=""', () => `data-support="${escapeHtml(supportEmail)}"`)
    .replace('</head>', () => `${styleOf(brand)}</head>`)
}

/** HTML of the build, with the name and logo of this installation. */
export function branded(html: string, { product, logoUrl }: Brand): string {
  const named = product === defaultProduct ? html : html.replaceAll(defaultProduct, () => escapeHtml(product))
  if (logoUrl === undefined) return named
  // The same markup that client/ui/Logo.tsx renders.
  const image = `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(product)}" height="28">`
  return named.replaceAll(
    /(<span[^>]* data-brand="true">).*?<\/svg><span[^>]*>.*?<\/span>/gs,
    (_, start: string) => start + image,
  )
}

/** The colors that differ from the defaults, with a higher specificity than the client's styles. */
function styleOf(brand: Brand): string {
  const rules = (['light', 'dark'] as const).flatMap((scheme) => {
    const standard: Record<string, string> = colors[scheme]
    const changed = Object.entries(brand.colors[scheme]).filter(([name, value]) => standard[name] !== value)
    if (changed.length === 0) return []
    const declarations = changed.map(([name, value]) => `--${name}:${value}`).join(';')
    return [`html:root[data-mantine-color-scheme='${scheme}']{${declarations}}`]
  })
  return rules.length === 0 ? '' : `<style nonce="__NONCE__">${rules.join('')}</style>`
}

/** The Web App Manifest (W3C). */
export function manifestOf({ product, logoUrl }: Brand): object {
  return {
    name: product,
    short_name: product,
    start_url: '/',
    display: 'browser',
    background_color: colors.light.paper,
    theme_color: colors.light.paper,
    icons: [{ src: logoUrl ?? '/favicon.svg', sizes: 'any' }],
  }
}

/** The favicon in the installation's color. */
export function logoOf({ colors: { light } }: Brand): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${light.accent}"/><path d="M9 26V14a7 7 0 0 1 14 0v12" fill="none" stroke="${light.onAccent}" stroke-width="2.2"/><path d="M12.5 26V14.2a3.6 3.6 0 0 1 3.5-3.6v17.8z" fill="${light.glow}"/></svg>`
}
