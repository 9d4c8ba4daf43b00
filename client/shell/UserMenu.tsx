import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { languageByCode, languages } from '../../shared/language.ts'
import { trpc } from '../api/trpc.ts'
import { brand } from '../language/brand.ts'
import { chooseLanguage, currentLanguage } from '../language/i18n.ts'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { GlobeIcon } from '../ui/icons.tsx'
import { goToSignIn } from '../ui/navigation.ts'
import { schemes, useSchemeNames } from '../ui/SchemeMenu.tsx'
import { EnvelopeIcon, SettingsIcon, SignOutIcon } from '../ui/screen-icons.tsx'
import classes from './UserMenu.module.css'

/** User menu: name, settings, language, color scheme and sign-out. */
export function UserMenu() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [current] = trpc.session.get.useSuspenseQuery()
  const signOut = trpc.session.signOut.useMutation({ onSuccess: goToSignIn })
  const update = trpc.account.update.useMutation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemeNames = useSchemeNames()
  if (!current) return null
  const { id, name, email, image } = current.user
  const language = languageByCode(currentLanguage())
  const choose = (code: string) => {
    const chosen = languageByCode(code)
    if (!chosen) return
    void chooseLanguage(chosen.code)
    update.mutate({ language: chosen.id })
  }
  return (
    <Menu position="bottom-end" width={280} withinPortal={false} withInitialFocusPlaceholder={false} returnFocus>
      <Menu.Target>
        <UnstyledButton className={classes.person} aria-label={t('menu.person')}>
          <Avatar id={id} name={name} image={image} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Avatar id={id} name={name} image={image} size={40} />
          <div className={classes.words}>
            <strong>{name}</strong>
            <span>{email}</span>
          </div>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<SettingsIcon />} onClick={() => void navigate({ to: '/settings' })}>
          {t('common.mySettings')}
        </Menu.Item>
        <Menu.Sub position="left-start">
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<GlobeIcon />}>{language?.name ?? t('common.language')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <Menu.RadioGroup value={currentLanguage()} onChange={choose}>
              {languages.map(({ code, name: languageName }) => (
                <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
                  {languageName}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Label>{t('common.theme')}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(chosen) => setColorScheme(schemes.find(([scheme]) => scheme === chosen)?.[0] ?? 'auto')}
        >
          {schemes.map(([scheme, Icon]) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon />}>
              {schemeNames[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {brand.supportEmail !== '' && (
          <Menu.Item component="a" href={`mailto:${brand.supportEmail}`} leftSection={<EnvelopeIcon />}>
            {t('common.support')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<SignOutIcon />}
          closeMenuOnClick={false}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {t('common.signOut')}
        </Menu.Item>
        <ErrorMessage error={signOut.error} />
      </Menu.Dropdown>
    </Menu>
  )
}
