import { contrast, mix } from './contrast.ts'
import { colors, type ColorName } from './theme.ts'

/** The brand of an installation. */
export type Brand = {
  product: string
  /** Shown instead of the mark and name. */
  logoUrl: string | undefined
  supportEmail: string | undefined
  colors: Palette
}

type Scheme = 'light' | 'dark'
type Palette = Record<Scheme, Record<ColorName, string>>

export const defaultProduct = 'Foyer'

/** Contrast of text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5
/** Backgrounds on which the accent is used for text or an outline. */
const backgrounds = ['paper', 'surface', 'sunken', 'hover'] as const

/**
 * The reason why a color cannot be the accent. Undefined if it can. It is used unchanged on light pages, and made
 * lighter for dark ones.
 */
export function accentProblem(accent: string): string | undefined {
  // The format has a message of its own.
  if (!/^#[\da-f]{6}$/i.test(accent)) return undefined
  const worst = Math.min(...backgrounds.map((back) => contrast(accent, colors.light[back])))
  if (worst >= minContrast) return undefined
  return `has a contrast of ${worst.toFixed(1)} to 1 on light pages, where ${minContrast} to 1 is needed (WCAG 2.2): choose a darker color`
}

/** All colors, including those derived from another accent. */
export function paletteOf(accent: string | undefined): Palette {
  if (accent === undefined) return colors
  const dark = lightened(
    accent,
    backgrounds.map((back) => colors.dark[back]),
  )
  const [softOnLight, softOnDark] = [mix(accent, '#ffffff', 0.87), mix(dark, colors.dark.surface, 0.8)]
  return {
    light: {
      ...colors.light,
      accent,
      accentHover: mix(accent, '#000000', 0.2),
      onAccent: '#ffffff',
      accentSoft: softOnLight,
      accentInk: mix(accent, '#000000', 0.25),
      selected: mix(accent, '#ffffff', 0.92),
    },
    dark: {
      ...colors.dark,
      accent: dark,
      accentHover: mix(dark, '#ffffff', 0.18),
      onAccent: mix(accent, '#000000', 0.85),
      accentSoft: softOnDark,
      accentInk: lightened(dark, [softOnDark]),
      selected: mix(dark, colors.dark.surface, 0.88),
    },
  }
}

/** The color, with as much white as it needs to be readable on all of these. */
function lightened(color: string, on: readonly string[]): string {
  for (let share = 0; share < 1; share += 0.05) {
    const lighter = mix(color, '#ffffff', share)
    // A margin, because it is also mixed with its background.
    if (on.every((back) => contrast(lighter, back) >= minContrast + 1)) return lighter
  }
  return '#ffffff'
}
