import {
  siApple,
  siDiscord,
  siDropbox,
  siFacebook,
  siGithub,
  siGitlab,
  siKick,
  siReddit,
  siRoblox,
  siSpotify,
  siTiktok,
  siTwitch,
  siVk,
  siX,
  siZoom,
} from 'simple-icons'
import type { ProviderId } from '../../shared/provider.ts'

/** A part of a logo: its path, and its color. Without one, the text color, because the logo is black or white. */
type Part = readonly [path: string, color?: string | undefined]

export type Logos = Record<ProviderId, readonly Part[]>

const inBrandColor = ({ path, hex }: { path: string; hex: string }): readonly Part[] => [[path, `#${hex}`]]
const inTextColor = ({ path }: { path: string }): readonly Part[] => [[path]]

/** Google's logo has four colors. Microsoft and LinkedIn are not part of simple-icons. */
export const logos: Logos = {
  apple: inTextColor(siApple),
  discord: inBrandColor(siDiscord),
  facebook: inBrandColor(siFacebook),
  github: inTextColor(siGithub),
  microsoft: [
    ['M1 1h10.500v10.500H1z', '#f25022'],
    ['M12.500 1H23v10.500H12.500z', '#7fba00'],
    ['M1 12.500h10.500V23H1z', '#00a4ef'],
    ['M12.500 12.500H23V23H12.500z', '#ffb900'],
  ],
  google: [
    [
      'M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92c-.26 1.37-1.04 2.53-2.21 3.31v2.77h3.57c2.08-1.92 3.28-4.74 3.28-8.09z',
      '#4285f4',
    ],
    [
      'M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77c-.98.66-2.23 1.06-3.71 1.06-2.86 0-5.29-1.93-6.16-4.53H2.18v2.84C3.99 20.53 7.7 23 12 23z',
      '#34a853',
    ],
    [
      'M5.84 14.09c-.22-.66-.35-1.36-.35-2.09s.13-1.43.35-2.09V7.07H2.18C1.43 8.55 1 10.22 1 12s.43 3.45 1.18 4.93l2.85-2.22.81-.62z',
      '#fbbc05',
    ],
    [
      'M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15C17.45 2.09 14.97 1 12 1 7.7 1 3.99 3.47 2.18 7.07l3.66 2.84c.87-2.6 3.3-4.53 6.16-4.53z',
      '#ea4335',
    ],
  ],
  spotify: inBrandColor(siSpotify),
  twitch: inBrandColor(siTwitch),
  twitter: inTextColor(siX),
  dropbox: inBrandColor(siDropbox),
  kick: inTextColor(siKick),
  linkedin: [
    [
      'M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm1.400 8.500v10h3.200v-10zM6 4.500a1.900 1.900 0 1 0 0 3.800 1.900 1.900 0 0 0 0-3.800zm3.800 5v10H13v-5.300c0-1.500.6-2.400 1.900-2.400s1.700.9 1.700 2.400v5.300h3.200v-6.200c0-2.600-1.300-4-3.600-4-1.500 0-2.600.7-3.200 1.700V9.500z',
      '#0a66c2',
    ],
  ],
  gitlab: inBrandColor(siGitlab),
  tiktok: inTextColor(siTiktok),
  reddit: inBrandColor(siReddit),
  roblox: inTextColor(siRoblox),
  vk: inBrandColor(siVk),
  zoom: inBrandColor(siZoom),
}
