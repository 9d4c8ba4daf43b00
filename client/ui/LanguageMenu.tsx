import { languageByCode, languages } from '../../shared/language.ts'
import { chooseLanguage, currentLanguage } from '../language/i18n.ts'
import { useTranslation } from '../language/translation.ts'
import { GlobeIcon } from './icons.tsx'
import { QuietSelect } from './QuietSelect.tsx'

/** Language menu; each language is listed by its native name. */
export function LanguageMenu() {
  const { t } = useTranslation()
  return (
    <QuietSelect
      label={t('common.language')}
      icon={<GlobeIcon />}
      value={currentLanguage()}
      choices={languages.map(({ code, name }) => ({ value: code, label: name, lang: code }))}
      onChoose={(code) => {
        const language = languageByCode(code)
        if (language) void chooseLanguage(language.code)
      }}
    />
  )
}
