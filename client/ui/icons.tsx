import type { ReactNode } from 'react'

/** An icon with the stroke width of all. Decorative: it always accompanies a text or an aria-label. */
export function createIcon(drawing: ReactNode) {
  return function Icon() {
    return (
      <svg
        width="18"
        height="18"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {drawing}
      </svg>
    )
  }
}

// The icons of the sign-in screen. Those of the others are in screen-icons.tsx.

export const GlobeIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c3 3.2 3 14.8 0 18M12 3c-3 3.2-3 14.8 0 18" />
  </>,
)
export const SunIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.600l1.4 1.400M17 17l1.4 1.400M18.4 5.600L17 7M7 17l-1.4 1.4" />
  </>,
)
export const MoonIcon = createIcon(<path d="M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500z" />)
export const ScreenIcon = createIcon(
  <>
    <rect x="3" y="4" width="18" height="12" rx="2" />
    <path d="M8 20h8M12 16v4" />
  </>,
)
export const EyeIcon = createIcon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
)
export const EyeOffIcon = createIcon(
  <>
    <path d="M4 4l16 16M9.9 5.800A9 9 0 0 1 12 5.500c6 0 9.5 6.5 9.5 6.500a17 17 0 0 1-2.7 3.400M6.3 7.300A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.500a9 9 0 0 0 4-.9" />
  </>,
)
export const ChevronIcon = createIcon(<path d="M8 10l4 4 4-4" />)
