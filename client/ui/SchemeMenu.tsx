import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from '../language/translation.ts'
import { MoonIcon, ScreenIcon, SunIcon } from './icons.tsx'
import { QuietSelect } from './QuietSelect.tsx'

/** The color schemes that can be chosen. */
export const schemes = [
  ['light', SunIcon],
  ['dark', MoonIcon],
  ['auto', ScreenIcon],
] as const

/** Names of the color schemes. */
export function useSchemeNames() {
  const { t } = useTranslation()
  return { light: t('common.light'), dark: t('common.dark'), auto: t('common.system') }
}

/** Color scheme menu: light, dark, or the system setting. */
export function SchemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const names = useSchemeNames()
  const Current = schemes.find(([scheme]) => scheme === colorScheme)?.[1] ?? ScreenIcon
  return (
    <QuietSelect
      label={t('common.theme')}
      icon={<Current />}
      value={colorScheme}
      choices={schemes.map(([scheme]) => ({ value: scheme, label: names[scheme] }))}
      onChoose={(chosen) => setColorScheme(schemes.find(([scheme]) => scheme === chosen)?.[0] ?? 'auto')}
    />
  )
}
