import { Combobox, Modal, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { languages } from '../../shared/language.ts'
import { can } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { schemes, useSchemeNames } from '../ui/SchemeMenu.tsx'
import { CardIcon, GearIcon, HomeIcon, PlusIcon, SearchIcon, SettingsIcon, SignOutIcon } from '../ui/screen-icons.tsx'
import { adminEntries } from './admin-entries.ts'
import { useLastOrganization } from './last-organization.ts'
import { organizationEntriesOf } from './organization-entries.ts'
import classes from './CommandPalette.module.css'

type Entry = {
  /** The screen that is opened, or the name of the action. */
  href: string
  name: string
  detail?: string
  /** Other words by which it is found. */
  also?: string
  picture: ReactNode
  /** An action in place of a screen. */
  act?: () => void
}

/**
 * Search over organizations, members of the current one, and every screen; for administrators over all users and
 * organizations, too. Enter opens the first result.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const [typed, setTyped] = useState('')
  useFocusReturn()
  // Escape closes the list, and the list is always open.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const groups = useGroups(typed)
  const first = groups[0]?.entries[0]?.href
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (first !== undefined && typed !== undefined) selectFirstOption()
  }, [first, typed, selectFirstOption])
  const open = (href: string) => {
    onClose()
    const chosen = groups.flatMap(({ entries }) => entries).find((entry) => entry.href === href)
    if (chosen?.act) chosen.act()
    else router.history.push(href)
  }
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      size={560}
      yOffset="12dvh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('menu.find')}>
        <Combobox store={combobox} onOptionSubmit={open}>
          <Combobox.EventsTarget>
            <TextInput
              className={classes.search ?? ''}
              variant="unstyled"
              // At once: what is typed must not wait for the dialog, which moves the focus later.
              ref={focus}
              data-autofocus
              leftSection={<SearchIcon />}
              value={typed}
              aria-label={t('menu.find')}
              placeholder={t('menu.find')}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </Combobox.EventsTarget>
          <Combobox.Options className={classes.options ?? ''} aria-label={t('menu.find')}>
            {groups.map(({ title, entries }) => (
              <Combobox.Group key={title} label={title}>
                {entries.map(({ href, name, detail, picture }) => (
                  <Combobox.Option key={href + name} value={href} className={classes.option ?? ''}>
                    {picture}
                    <span className={classes.name}>{name}</span>
                    {detail !== undefined && <span className={classes.note}>{detail}</span>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {groups.length === 0 && <Combobox.Empty>{t('common.nothingFound')}</Combobox.Empty>}
          </Combobox.Options>
        </Combobox>
      </Modal.Content>
    </Modal.Root>
  )
}

const focus = (field: HTMLInputElement | null) => field?.focus()

/** Maximum number of results of one kind. */
const maxResults = 6

function useGroups(typed: string): { title: string; entries: Entry[] }[] {
  const { t } = useTranslation()
  const { slug: opened, organization } = useLastOrganization()
  const [current] = trpc.session.get.useSuspenseQuery()
  const mine = trpc.organization.mine.useQuery()
  // Before one is opened in this tab: the active one of the session.
  const active = organization ?? mine.data?.find(({ id }) => id === current?.session.activeOrganizationId)
  const slug = active?.slug ?? opened
  const [search] = useDebouncedValue(typed.trim(), 150)
  const organizations = trpc.organization.mine.useQuery({ search }, { placeholderData: keepPreviousData })
  const members = trpc.organization.members.useQuery(
    { organizationId: active?.id ?? '', search, limit: maxResults },
    { enabled: active !== undefined && search.length > 1 },
  )
  const ofInstallation = useInstallation(search)
  const screens = useScreens()
  const words = typed.trim().toLowerCase()
  // The server's results may belong to an earlier search text.
  const matches = ({ name, detail, also }: Pick<Entry, 'name' | 'detail' | 'also'>) =>
    `${name} ${detail ?? ''} ${also ?? ''}`.toLowerCase().includes(words)
  // The organization is beside each of its screens: its name finds the organization itself.
  const matchesEntry = (entry: Entry) => matches(entry.href.startsWith('/o/') ? { name: entry.name } : entry)
  const pages = { title: t('palette.pages'), entries: screens.filter(matchesEntry) }
  const found = [
    {
      title: t('switcher.label'),
      entries: (organizations.data ?? [])
        .map(({ id, name, logo, slug: of }): Entry => ({
          href: `/o/${of}`,
          name,
          picture: <Avatar id={id} name={name} image={logo} size={24} isSquare />,
        }))
        .filter(matches)
        .filter(({ href }) => words !== '' || href !== `/o/${opened ?? ''}`)
        .slice(0, maxResults),
    },
    {
      title: t('members.title'),
      entries:
        search.length > 1
          ? (members.data?.members ?? [])
              .map(({ user: { id, name, image, email } }): Entry => ({
                href: `/o/${slug ?? ''}?q=${encodeURIComponent(email)}`,
                name,
                detail: email,
                picture: <Avatar id={id} name={name} image={image} size={24} />,
              }))
              .filter(matches)
          : [],
    },
    { title: t('common.administration'), entries: ofInstallation.filter(matches) },
  ]
  // Without a search text, the likely action is switching the organization; pages are opened by typing their name.
  const groups = words === '' ? [...found, pages] : [pages, ...found]
  return groups.filter(({ entries }) => entries.length > 0)
}

/** All users and organizations of the installation that match a search text, for administrators. */
function useInstallation(search: string): Entry[] {
  const [current] = trpc.session.get.useSuspenseQuery()
  const enabled = current?.user.role === 'admin' && search.length > 1
  const users = trpc.admin.listUsers.useQuery(
    { searchValue: search, searchField: 'any', sortBy: 'name', limit: maxResults },
    { enabled },
  )
  const organizations = trpc.admin.organizations.useQuery(
    { q: search, sortBy: 'name', sortDirection: 'asc', limit: maxResults, offset: 0 },
    { enabled },
  )
  if (!enabled) return []
  return [
    ...(users.data?.users ?? []).map(({ id, name, image, email }) => ({
      href: `/admin/users/${id}`,
      name,
      detail: email,
      picture: <Avatar id={id} name={name} image={image ?? null} size={24} />,
    })),
    ...(organizations.data?.organizations ?? []).map(({ id, name, logo, slug }) => ({
      href: `/admin/organizations/${id}`,
      name,
      detail: slug,
      picture: <Avatar id={id} name={name} image={logo} size={24} isSquare />,
    })),
  ]
}

/** The screens that the user can open from here. */
function useScreens(): Entry[] {
  const { t } = useTranslation()
  const { slug, organization } = useLastOrganization()
  const [{ hasPayments, organizationCreation, userDeletion }] = trpc.session.options.useSuspenseQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const role = organization?.me.role ?? ''
  const detail = organization?.name ?? ''
  const settings = { detail: t('common.mySettings'), picture: <SettingsIcon /> }
  const { setColorScheme } = useMantineColorScheme()
  const schemeNames = useSchemeNames()
  const at = `/o/${slug ?? ''}`
  return [
    ...(organization
      ? [
          ...organizationEntriesOf({ role, hasPayments }).map(({ to, name, Icon }) => ({
            href: to.replace('/o/$slug', at),
            name: t(name),
            detail,
            picture: <Icon />,
          })),
          ...(can(role, 'invitation', 'create')
            ? [{ href: `${at}/invitations?invite=true`, name: t('members.invite'), detail, picture: <PlusIcon /> }]
            : []),
          { href: `${at}/settings/danger`, name: t('organization.danger'), detail, picture: <GearIcon /> },
        ]
      : []),
    { href: '/', name: t('menu.home'), picture: <HomeIcon /> },
    ...(organizationCreation ? [{ href: '/organizations/new', name: t('create.submit'), picture: <PlusIcon /> }] : []),
    {
      href: '/settings',
      name: t('settings.profile'),
      also: `${t('field.name')} ${t('common.username')} ${t('email.title')}`,
      ...settings,
    },
    {
      href: '/settings/security',
      name: t('settings.security'),
      also: `${t('field.password')} ${t('passkeys.title')} ${t('twoFactor.title')}`,
      ...settings,
    },
    { href: '/settings/sessions', name: t('sessions.title'), ...settings },
    { href: '/settings/activity', name: t('common.activity'), ...settings },
    { href: '/settings/api-keys', name: t('common.apiKeys'), ...settings },
    { href: '/settings/connected-apps', name: t('settings.connectedApps'), ...settings },
    {
      href: '/settings#language',
      name: t('common.language'),
      also: languages.map(({ name }) => name).join(' '),
      ...settings,
    },
    ...(userDeletion ? [{ href: '/settings/delete', name: t('deleteAccount.title'), ...settings }] : []),
    ...schemes.map(([scheme, Icon]) => ({
      href: `scheme:${scheme}`,
      name: schemeNames[scheme],
      detail: t('common.theme'),
      picture: <Icon />,
      act: () => setColorScheme(scheme),
    })),
    ...(hasPayments ? [{ href: '/billing', name: t('billing.mine'), picture: <CardIcon /> }] : []),
    { href: '/sign-out', name: t('common.signOut'), picture: <SignOutIcon /> },
    ...(current?.user.role === 'admin'
      ? adminEntries.map(({ to, name, Icon }) => ({ href: to, name: t(name), picture: <Icon /> }))
      : []),
  ]
}
