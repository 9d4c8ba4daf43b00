import { Button, Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { languageByCode, languages } from '../../shared/language.ts'
import { chooseLanguage, currentLanguage } from '../language/i18n.ts'
import { GlobeIcon } from './icons.tsx'

/** Language menu; each language is listed by its native name. */
export function LanguageMenu() {
  const { t } = useTranslation()
  const current = currentLanguage()
  const name = languages.find(({ code }) => code === current)?.name
  const choose = (code: string) => {
    const language = languageByCode(code)
    if (language) void chooseLanguage(language.code)
  }
  return (
    <Menu position="top-start" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="sm"
          color="gray"
          className="quiet-button"
          leftSection={<GlobeIcon />}
          aria-label={`${t('common.language')}: ${name ?? ''}`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={current} onChange={choose}>
          {languages.map(({ code, name }) => (
            <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
