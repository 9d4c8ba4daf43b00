import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import type { Brand } from '../../../shared/brand.ts'
import type { LanguageCode } from '../../../shared/language.ts'
import { fontFamily, radius } from '../../../shared/theme.ts'

/** Sends a plain server-rendered page in the colors of the installation, without scripts. */
export function respondWithPage(
  response: Response,
  { product, colors }: Brand,
  { language = 'en', title, body }: { language?: LanguageCode; title: string; body: string },
): void {
  const nonce = randomBytes(16).toString('base64')
  const style = `style-src 'nonce-${nonce}'`
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; ${style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  respondWithHtml(
    response,
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${escapeHtml(product)}</title><style nonce="${nonce}">${pageStyle(colors)}</style></head>
<body><main><p class="mark">${escapeHtml(product)}</p><h1>${title}</h1>${body}</main></body></html>`,
  )
}

const pageStyle = ({ light, dark }: Brand['colors']) => `:root{color-scheme:light dark}
body{margin:0;background:${light.paper};color:${light.ink};font:15px/24px ${fontFamily}}
main{max-width:640px;margin:0 auto;padding:48px 16px}
.mark{font-size:17px;font-weight:650;margin:0 0 32px}
h1{font-size:28px;line-height:34px;font-weight:620;letter-spacing:-.015em;margin:0 0 16px}
a{color:${light.accent}}
.code{display:inline-block;margin:0;padding:8px 14px;border:1px solid ${light.line};border-radius:${radius.field}px;background:${light.surface};font-weight:600;overflow-wrap:anywhere}
.quiet,li span{color:${light.quiet}}
ul{list-style:none;margin:24px 0;padding:0;border:1px solid ${light.line};border-radius:${radius.card}px;background:${light.surface}}
li{padding:12px 16px;border-top:1px solid ${light.line}}li:first-child{border-top:0}
li a{display:block;font-weight:600;text-decoration:none}.kinds a{display:inline;font-weight:400}li span{font-size:13px}
@media (prefers-color-scheme:dark){body{background:${dark.paper};color:${dark.ink}}a{color:${dark.accent}}
.code,ul{background:${dark.surface};border-color:${dark.line}}li{border-color:${dark.line}}.quiet,li span{color:${dark.quiet}}}`

export function respondWithHtml(response: Response, html: string): void {
  htmlHeaders(response)
  response.end(html)
}

/** Headers of every HTML page. */
export function htmlHeaders(response: Response): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  response.setHeader('Cache-Control', 'no-store')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
