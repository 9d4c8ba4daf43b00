import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MoonIcon, ScreenIcon, SunIcon } from './icons.tsx'

/** The colour schemes that can be chosen. */
export const schemes = [
  ['light', SunIcon],
  ['dark', MoonIcon],
  ['auto', ScreenIcon],
] as const

/** Names of the colour schemes. */
export function useSchemeNames() {
  const { t } = useTranslation()
  return { light: t('common.light'), dark: t('common.dark'), auto: t('common.system') }
}

/** Colour scheme menu: light, dark, or the system setting. */
export function SchemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const names = useSchemeNames()
  const Current = schemes.find(([scheme]) => scheme === colorScheme)?.[1] ?? ScreenIcon
  return (
    <Menu position="top-start" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="sm"
          color="gray"
          className="quiet-button"
          leftSection={<Current />}
          aria-label={`${t('common.theme')}: ${names[colorScheme]}`}
        >
          {names[colorScheme]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(chosen) => setColorScheme(schemes.find(([scheme]) => scheme === chosen)?.[0] ?? 'auto')}
        >
          {schemes.map(([scheme]) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {names[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
