import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { colors, fontFamily, hues, radius, type ColorName } from '../../shared/theme.ts'

/** Mantine requires ten shades per color; Foyer uses a single one per color scheme, set by CSS variables below. */
const one = (color: string): MantineColorsTuple => [
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
  color,
]

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: one(colors.light.accent), danger: one(colors.light.danger) },
  fontFamily,
  defaultRadius: radius.field,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '12px', sm: '13px', md: '15px', lg: '17px', xl: '19px' },
  lineHeights: { xs: '18px', sm: '20px', md: '24px', lg: '26px', xl: '26px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontFamily,
    fontWeight: '620',
    sizes: { h1: { fontSize: '26px', lineHeight: '32px' }, h2: { fontSize: '16px', lineHeight: '24px' } },
  },
  variantColorResolver: (input) => {
    const defaults = defaultVariantColorsResolver(input)
    const isDanger = input.color === 'danger'
    const [back, front, hover] = isDanger
      ? ['var(--danger)', 'var(--onDanger)', 'var(--danger)']
      : ['var(--accent)', 'var(--onAccent)', 'var(--accentHover)']
    if (input.variant === 'filled')
      return { ...defaults, background: back, hover, color: front, border: '1px solid transparent' }
    if (input.variant === 'default') {
      const color = isDanger ? 'var(--danger)' : 'var(--ink)'
      return {
        ...defaults,
        background: 'var(--surface)',
        hover: 'var(--hover)',
        color,
        border: '1px solid var(--lineStrong)',
      }
    }
    if (input.variant === 'subtle')
      return { ...defaults, background: 'transparent', hover: 'var(--hover)', color: back }
    return defaults
  },
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Button: {
      defaultProps: { size: 'md' },
      vars: (_theme: unknown, { size }: { size?: unknown }) => ({ root: buttonSize(size) }),
    },
    TextInput: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Radio: { defaultProps: { size: 'md' } },
    RadioGroup: { defaultProps: { size: 'md' } },
  },
})

/** Height, padding and font size of a button. Buttons have one of two sizes. */
function buttonSize(size: unknown) {
  const [height, padding, text] = size === 'sm' ? ['32px', '11px', '13.5px'] : ['40px', '16px', '14.5px']
  return { '--button-height': height, '--button-padding-x': padding, '--button-fz': text }
}

/** The tokens as CSS variables with their own names, and Mantine's variables derived from them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf('light', '0 12px 32px rgb(50 40 20 / 0.16), 0 2px 6px rgb(50 40 20 / 0.08)'),
  dark: variablesOf('dark', '0 16px 40px rgb(0 0 0 / 0.5)'),
})

function variablesOf(scheme: 'light' | 'dark', shadow: string): Record<string, string> {
  const names = Object.entries(colors[scheme]) as [ColorName, string][]
  return {
    ...Object.fromEntries(names.map(([name, value]) => [`--${name}`, value])),
    ...Object.fromEntries(
      hues[scheme].flatMap(([back, front], at) => [
        [`--hue${at}`, back],
        [`--hue${at}Ink`, front],
      ]),
    ),
    '--floating': shadow,
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--quiet)',
    '--mantine-color-placeholder': 'var(--quiet)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-accent-filled': 'var(--accent)',
    '--mantine-color-accent-filled-hover': 'var(--accentHover)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accentHover)',
    '--mantine-primary-color-contrast': 'var(--onAccent)',
  }
}
