import type { Brand } from '../../shared/brand.ts'
import type { Language } from '../../shared/language.ts'
import { fontFamily, hues, radius } from '../../shared/theme.ts'

/** The content of an email, rendered as HTML and as plain text. */
export type MailContent = {
  subject: string
  /** The avatar of the organization that the email is about: its picture, or its initials on a color (`hues`). */
  avatar?: { initials: string; hue: number; picture: string | undefined }
  /** One sentence at the top. */
  title: string
  lines: string[]
  /** The call to action. Its URL is repeated as text below the button. */
  action?: { label: string; link: string; hint: string }
  /** Origin and time of the request, as label and value. */
  details: [label: string, value: string][]
  /** Advice for a recipient who did not make the request. */
  closing: string
}

/**
 * Renders HTML and plain text, for light and dark color schemes. The only images are logos: the operator's and an
 * organization's.
 */
export function layoutMail(content: MailContent, language: Language, brand: Brand): { html: string; text: string } {
  return { html: html(content, language, brand), text: text(content, brand) }
}

function text({ title, lines, action, details, closing }: MailContent, { product, supportEmail }: Brand): string {
  const parts = [
    title,
    ...lines,
    action && `${action.label}:\n${action.link}`,
    details.map(([label, value]) => `${label}: ${value}`).join('\n'),
    closing,
    `— ${product}`,
    supportEmail,
  ]
  return `${parts.filter((part) => part).join('\n\n')}\n`
}

/** Colors for email clients that support color schemes. Others use the inline light colors. */
const darkStyle = ({ dark }: Brand['colors'], hue: number) => `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .paper { background: ${dark.paper} !important; }
    .surface { background: ${dark.surface} !important; border-color: ${dark.line} !important; }
    .ink { color: ${dark.ink} !important; }
    .quiet { color: ${dark.quiet} !important; }
    .accent { background: ${dark.accent} !important; color: ${dark.onAccent} !important; }
    .line { border-color: ${dark.line} !important; }
    .avatar { background: ${hues.dark[hue]?.[0]} !important; color: ${hues.dark[hue]?.[1]} !important; }
  }`

function html(
  { subject, avatar, title, lines, action, details, closing }: MailContent,
  language: Language,
  { product, logoUrl, supportEmail, colors }: Brand,
): string {
  const { light } = colors
  const font = `font-family:${fontFamily.replaceAll("'", '')}`
  const paragraph = (content: string, look = `color:${light.ink}`, name = 'ink') =>
    `<p class="${name}" style="margin:0 0 16px;font-size:16px;line-height:25px;${look}">${content}</p>`
  const button = action
    ? `<p style="margin:24px 0 12px"><a class="accent" href="${escape(action.link)}" style="display:inline-block;padding:12px 22px;border-radius:${radius.field}px;background:${light.accent};color:${light.onAccent};font-weight:600;font-size:16px;text-decoration:none">${escape(action.label)}</a></p>
      <p class="quiet" style="margin:0 0 24px;font-size:13px;line-height:20px;color:${light.quiet}">${escape(action.hint)}<br><a class="quiet" href="${escape(action.link)}" style="color:${light.quiet};word-break:break-all">${escape(action.link)}</a></p>`
    : ''
  const rows = details
    .map(
      ([label, value]) =>
        `<tr><td class="quiet" style="padding:2px 16px 2px 0;color:${light.quiet};vertical-align:top">${escape(label)}</td><td class="ink" style="padding:2px 0;color:${light.ink}">${escape(value)}</td></tr>`,
    )
    .join('')
  // Email clients that show no images show the name.
  const isImage = logoUrl?.startsWith('https:')
  const mark = isImage
    ? `<img src="${escape(logoUrl ?? '')}" alt="${escape(product)}" height="28" style="height:28px;max-width:220px;border:0">`
    : escape(product)
  const badge = avatar ? avatarHtml(avatar) : ''
  const support =
    supportEmail === undefined
      ? ''
      : `<tr><td class="quiet" style="padding:16px 4px 0;font-size:13px;line-height:20px;color:${light.quiet}"><a class="quiet" href="mailto:${escape(supportEmail)}" style="color:${light.quiet}">${escape(supportEmail)}</a></td></tr>`
  return `<!doctype html>
<html lang="${language.code}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title><style>${darkStyle(colors, avatar?.hue ?? 0)}</style></head>
<body class="paper" style="margin:0;padding:0;background:${light.paper};${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper" style="background:${light.paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td class="ink" style="padding:0 4px 20px;font-size:19px;font-weight:650;letter-spacing:-0.01em;color:${light.ink}">${mark}</td></tr>
<tr><td class="surface" style="padding:32px;background:${light.surface};border:1px solid ${light.line};border-radius:${radius.card}px">
${badge}<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:29px;font-weight:620;letter-spacing:-0.01em;color:${light.ink}">${escape(title)}</h1>
${lines.map((line) => paragraph(escape(line))).join('\n')}
${button}
<table role="presentation" cellpadding="0" cellspacing="0" class="line" style="width:100%;border-top:1px solid ${light.line};font-size:13px;line-height:20px"><tr><td colspan="2" style="height:14px"></td></tr>${rows}</table>
<p class="quiet" style="margin:14px 0 0;font-size:13px;line-height:20px;color:${light.quiet}">${escape(closing)}</p>
</td></tr>${support}</table></td></tr></table></body></html>`
}

/** A square of 44 pixels above the title. Email clients that show no images show its color. */
function avatarHtml({ initials, hue, picture }: NonNullable<MailContent['avatar']>): string {
  const [back, ink] = hues.light[hue] ?? hues.light[0]
  const content = picture
    ? `<img src="${escape(picture)}" alt="" width="44" height="44" style="display:block;border:0;border-radius:${radius.card}px">`
    : escape(initials)
  return `<table role="presentation" cellpadding="0" cellspacing="0" aria-hidden="true" style="margin:0 0 16px"><tr><td class="avatar" align="center" width="44" height="44" style="width:44px;height:44px;border-radius:${radius.card}px;background:${back};color:${ink};font-size:16px;font-weight:620;line-height:44px">${content}</td></tr></table>
`
}

/** Escapes text for HTML and attributes. */
function escape(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
