import {
  siApple,
  siDiscord,
  siDropbox,
  siFacebook,
  siGithub,
  siGitlab,
  siGoogle,
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

/** Provider logos, drawn in the text colour. Microsoft and LinkedIn are not part of simple-icons. */
const logoPaths: Record<ProviderId, string> = {
  apple: siApple.path,
  discord: siDiscord.path,
  facebook: siFacebook.path,
  github: siGithub.path,
  microsoft: 'M1 1h10.500v10.500H1zM12.500 1H23v10.500H12.500zM1 12.500h10.500V23H1zM12.500 12.500H23V23H12.500z',
  google: siGoogle.path,
  spotify: siSpotify.path,
  twitch: siTwitch.path,
  twitter: siX.path,
  dropbox: siDropbox.path,
  kick: siKick.path,
  linkedin:
    'M3 1h18a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2zm1.400 8.500v10h3.200v-10zM6 4.500a1.900 1.900 0 1 0 0 3.800 1.900 1.900 0 0 0 0-3.800zm3.800 5v10H13v-5.300c0-1.500.6-2.400 1.900-2.400s1.700.9 1.700 2.400v5.300h3.200v-6.200c0-2.600-1.300-4-3.600-4-1.500 0-2.600.7-3.200 1.700V9.500z',
  gitlab: siGitlab.path,
  tiktok: siTiktok.path,
  reddit: siReddit.path,
  roblox: siRoblox.path,
  vk: siVk.path,
  zoom: siZoom.path,
}

/** Decorative: the provider's name is always displayed next to it. */
export function ProviderLogo({ id }: { id: ProviderId }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="currentColor"
      fillRule="evenodd"
      aria-hidden="true"
      focusable="false"
    >
      <path d={logoPaths[id]} />
    </svg>
  )
}
