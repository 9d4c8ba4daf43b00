import { createIcon } from './icons.tsx'

export const ListIcon = createIcon(<path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />)
export const SignOutIcon = createIcon(<path d="M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l-4 4 4 4M6 12h9" />)
export const HomeIcon = createIcon(<path d="M5 21V11a7 7 0 0 1 14 0v10M9.5 21v-8.500a2.5 2.5 0 0 1 5 0V21" />)
export const SettingsIcon = createIcon(
  <>
    <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
    <circle cx="16" cy="7" r="2.6" />
    <circle cx="8" cy="17" r="2.6" />
  </>,
)
export const PlusIcon = createIcon(<path d="M12 5v14M5 12h14" />)
export const MoreIcon = createIcon(
  <g fill="currentColor" stroke="none">
    <circle cx="5.500" cy="12" r="1.700" />
    <circle cx="12" cy="12" r="1.700" />
    <circle cx="18.500" cy="12" r="1.700" />
  </g>,
)
export const PeopleIcon = createIcon(
  <>
    <circle cx="9" cy="8" r="3.2" />
    <path d="M3 19.500c0-3.300 2.700-5.500 6-5.500s6 2.200 6 5.500M16 5.200a3.2 3.2 0 0 1 0 5.600M17.500 14.300c2.100.700 3.500 2.600 3.500 5.200" />
  </>,
)
export const EnvelopeIcon = createIcon(
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="2" />
    <path d="M4 7.500l8 6 8-6" />
  </>,
)
export const TeamIcon = createIcon(
  <>
    <rect x="4" y="4" width="7" height="7" rx="1.6" />
    <rect x="13" y="4" width="7" height="7" rx="1.6" />
    <rect x="4" y="13" width="7" height="7" rx="1.6" />
    <path d="M13 16.500h7M16.500 13v7" />
  </>,
)
export const BuildingIcon = createIcon(<path d="M4 20V9l8-5 8 5v11M4 20h16M9.500 20v-5h5v5" />)
export const CardIcon = createIcon(
  <>
    <rect x="3" y="5.500" width="18" height="13" rx="2" />
    <path d="M3 10h18M7 15h4" />
  </>,
)
export const ShieldIcon = createIcon(<path d="M12 3l7 3v6c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6z" />)
export const SortIcon = createIcon(<path d="M12 6v12M7.500 13.500L12 18l4.500-4.500" />)
export const SearchIcon = createIcon(
  <>
    <circle cx="11" cy="11" r="6.500" />
    <path d="M16 16l4.500 4.500" />
  </>,
)
export const KeyIcon = createIcon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="M11 12l8-8M16 7l2.500 2.500M13.500 9.500l2 2" />
  </>,
)
export const CodeIcon = createIcon(<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14" />)
export const WebhookIcon = createIcon(
  <>
    <path d="M4 12h12M11 7l5 5-5 5" />
    <path d="M20 5v14" />
  </>,
)
export const GearIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="3" />
    <path d="M12 3.500v3M12 17.500v3M3.5 12h3M17.5 12h3M6 6l2.1 2.100M15.9 15.900L18 18M18 6l-2.1 2.100M8.1 15.900L6 18" />
  </>,
)
export const UserIcon = createIcon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.500a7.5 7.5 0 0 1 15 0" />
  </>,
)
export const ChartIcon = createIcon(<path d="M4 20h16M7 16v-4M12 16V7M17 16v-6" />)
export const ReceiptIcon = createIcon(<path d="M6 3.500h12v17l-3-2-3 2-3-2-3 2zM9.5 8.500h5M9.5 12.500h5" />)
export const SendIcon = createIcon(<path d="M20.5 3.500L10 14M20.5 3.500L14 20.500 10 14 3.5 10z" />)
export const PulseIcon = createIcon(<path d="M3 12h4l3-7 4 14 3-7h4" />)
