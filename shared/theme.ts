/** Foyer's design tokens. The client, emails and server-rendered pages take all their colors from here. */
export const colors = {
  light: {
    /** Background of a page. */
    paper: '#FAF8F4',
    /** Background of cards, dialogs and menus. */
    surface: '#FFFFFF',
    /** Background of the navigation, table headers and parts of a card. */
    sunken: '#F4F1EA',
    /** Text. */
    ink: '#1C2024',
    /** Secondary text. */
    quiet: '#5A6067',
    /** Borders of cards, and lines between rows. */
    line: '#E7E2D8',
    /** Borders of buttons, whose text identifies them. */
    lineStrong: '#D5CFC2',
    /** Borders of fields, checkboxes and radios: contrast of at least 3:1 on surface and paper (WCAG 2.2). */
    edge: '#8B8678',
    /** Background of a row or menu item under the pointer. */
    hover: '#F6F3ED',
    /** Background of selected rows. */
    selected: '#E9F1EF',
    accent: '#1D5C58',
    accentHover: '#174B48',
    onAccent: '#FFFFFF',
    accentSoft: '#DCEBE8',
    accentInk: '#174B48',
    warn: '#8A5A12',
    warnSoft: '#FAEED6',
    /** Light in the illustration beside the sign-in. */
    glow: '#F6E3BC',
    danger: '#AE2A22',
    onDanger: '#FFFFFF',
    dangerSoft: '#FBE7E4',
    /** Text and icons of a success. */
    good: '#2E6B34',
    goodSoft: '#E3F0E2',
    /** Background of tags that are neither good nor bad. */
    neutralSoft: '#EFECE5',
  },
  dark: {
    paper: '#131618',
    surface: '#1A1E21',
    sunken: '#15191B',
    ink: '#ECE9E2',
    quiet: '#A9AEB3',
    line: '#2B3136',
    lineStrong: '#3A4147',
    edge: '#6C747B',
    hover: '#20252A',
    selected: '#1B2F2D',
    accent: '#5BBFB4',
    accentHover: '#74CEC4',
    onAccent: '#0C1F1D',
    accentSoft: '#1D3A37',
    accentInk: '#8ADBD1',
    warn: '#E0AE58',
    warnSoft: '#362B17',
    glow: '#5A4522',
    danger: '#F08A80',
    onDanger: '#2A0B08',
    dangerSoft: '#3A211F',
    good: '#7CC487',
    goodSoft: '#1C3321',
    neutralSoft: '#262B30',
  },
} as const

/** Background and text colors of avatars: eight muted hues, assigned by id (`hueOf`). */
export const hues = {
  light: [
    ['#DBE9E6', '#1D5C58'],
    ['#F3E3C8', '#7A4D0C'],
    ['#E6E0F2', '#54408C'],
    ['#FADFD9', '#96392B'],
    ['#DFE8F5', '#2C5489'],
    ['#E3EDD6', '#46661F'],
    ['#F6DFE9', '#8C2F5C'],
    ['#E4E3DF', '#4B4B47'],
  ],
  dark: [
    ['#1D3A37', '#8ADBD1'],
    ['#3A2C13', '#E6BD75'],
    ['#2C2742', '#C1B2EE'],
    ['#3D2420', '#F0A598'],
    ['#1F2D42', '#9FC1F0'],
    ['#27321B', '#B5D391'],
    ['#3B2230', '#EBA6C8'],
    ['#2D2F31', '#C4C6C8'],
  ],
} as const

/** The hue of an id: FNV-1a (32 bits), so that it is the same on every screen and in every email. */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % hues.light.length
}

/** The initials of a name: those of its first and last word, without punctuation. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return (first + last).toUpperCase()
}

export type ColorName = keyof (typeof colors)['light']

/** Inter; until it has loaded, Arial scaled to Inter's widths; otherwise the system font (emails, plain pages). */
export const fontFamily =
  "'Inter Variable', Inter, 'Inter Metrics', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

/** Radii in pixels. */
export const radius = { card: 12, field: 8, chip: 6 } as const
