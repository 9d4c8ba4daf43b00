/** Foyer's design tokens. Client, mails and server-rendered pages take all their colours from here. */
export const colors = {
  light: {
    paper: '#FAF8F4',
    surface: '#FFFFFF',
    ink: '#1C2024',
    quiet: '#5A6067',
    line: '#E5E0D6',
    /** Field borders: contrast of at least 3:1 on surface and paper (WCAG 2.2). */
    edge: '#8B8678',
    accent: '#1D5C58',
    accentHover: '#17504C',
    onAccent: '#FFFFFF',
    warn: '#8A5A12',
    glow: '#F6E3BC',
    danger: '#AE2A22',
    onDanger: '#FFFFFF',
    good: '#2E6B34',
  },
  dark: {
    paper: '#131618',
    surface: '#1A1E21',
    ink: '#ECE9E2',
    quiet: '#A9AEB3',
    line: '#2B3136',
    edge: '#6C747B',
    accent: '#5BBFB4',
    accentHover: '#74CCC2',
    onAccent: '#0C1F1D',
    warn: '#E0AE58',
    glow: '#5A4522',
    danger: '#F08A80',
    onDanger: '#2A0B08',
    good: '#7CC487',
  },
} as const

export type ColorName = keyof (typeof colors)['light']

/** Inter if it is loaded, otherwise the system font (mails, plain pages). */
export const fontFamily = "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

/** Radii in pixels. */
export const radius = { card: 10, field: 8 } as const
