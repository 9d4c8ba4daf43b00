import { Avatar, Burger, Drawer, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { can } from '../../shared/permissions.ts'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { goToSignIn } from '../ui/navigation.ts'
import {
  CardIcon,
  HomeIcon,
  BuildingIcon,
  SignOutIcon,
  EnvelopeIcon,
  ListIcon,
  PeopleIcon,
  SettingsIcon,
  ShieldIcon,
  TeamIcon,
} from '../ui/icons.tsx'
import { PageLoading, SessionEnded } from '../ui/ScreenStates.tsx'
import { LanguageMenu } from '../ui/LanguageMenu.tsx'
import { Logo } from '../ui/Logo.tsx'
import { SchemeMenu } from '../ui/SchemeMenu.tsx'
import classes from './AppShell.module.css'

/**
 * The persistent layout: header, and navigation in a sidebar or drawer. It is a pathless parent route, so that it stays
 * mounted while a screen loads or fails.
 */
export function AppShell() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  if (!current) return <SessionEnded />
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {t('common.skip')}
      </a>
      <header className={classes.bar}>
        <Burger className={classes.burger} size="sm" opened={isOpen} onClick={toggle} aria-label={t('menu.open')} />
        <Link to="/" className={classes.home} aria-label="Foyer">
          <Logo />
        </Link>
        <OrganizationSwitcher />
        <UserMenu />
      </header>
      <aside className={classes.column}>
        <Sections />
      </aside>
      <Drawer.Root opened={isOpen} onClose={close} size={280}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('menu.sections')}>
          <Drawer.Body>
            <div className={classes.drawerTop}>
              <Logo />
              <Drawer.CloseButton aria-label={t('common.close')} />
            </div>
            <Sections onNavigate={close} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

/** Navigation links, with those of the open organization, and below them the language and theme menus. */
function Sections({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const { slug } = useParams({ strict: false })
  const update = trpc.account.update.useMutation()
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  const [current] = trpc.session.get.useSuspenseQuery()
  const { data: organization } = trpc.organization.get.useQuery({ slug: slug ?? '' }, { enabled: slug !== undefined })
  const mayAudit = can(organization?.me.role ?? '', 'organization', 'update')
  const isAdministrator = current?.user.role === 'admin'
  const entry = {
    className: classes.entry,
    activeOptions: { exact: true },
    activeProps: { 'aria-current': 'page' as const },
    ...(onNavigate && { onClick: onNavigate }),
  }
  return (
    <>
      <nav aria-label={t('menu.sections')} className={classes.sections}>
        <Link to="/" {...entry}>
          <HomeIcon />
          {t('menu.home')}
        </Link>
        {slug !== undefined && (
          <div className={classes.organization}>
            <Link to="/o/$slug" params={{ slug }} {...entry}>
              <PeopleIcon />
              {t('menu.members')}
            </Link>
            <Link to="/o/$slug/invitations" params={{ slug }} {...entry}>
              <EnvelopeIcon />
              {t('menu.invitations')}
            </Link>
            <Link to="/o/$slug/teams" params={{ slug }} {...entry}>
              <TeamIcon />
              {t('menu.teams')}
            </Link>
            <Link to="/o/$slug/settings" params={{ slug }} {...entry}>
              <BuildingIcon />
              {t('menu.organization')}
            </Link>
            {mayAudit && (
              <Link to="/o/$slug/activity" params={{ slug }} {...entry}>
                <ListIcon />
                {t('activity.auditTitle')}
              </Link>
            )}
            {hasPayments && (
              <Link to="/o/$slug/billing" params={{ slug }} {...entry}>
                <CardIcon />
                {t('menu.billing')}
              </Link>
            )}
          </div>
        )}
        {hasPayments && slug === undefined && (
          <Link to="/billing" {...entry}>
            <CardIcon />
            {t('menu.billing')}
          </Link>
        )}
        {isAdministrator && slug === undefined && (
          <Link to="/admin" {...entry}>
            <ShieldIcon />
            {t('menu.admin')}
          </Link>
        )}
        <Link to="/settings" {...entry}>
          <SettingsIcon />
          {t('menu.mySettings')}
        </Link>
      </nav>
      <div className={classes.preferences}>
        <LanguageMenu onChoose={(language) => update.mutate({ language })} />
        <SchemeMenu />
      </div>
    </>
  )
}

/** User menu: name, email address and sign-out. */
function UserMenu() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const signOut = trpc.session.signOut.useMutation({ onSuccess: goToSignIn })
  if (!current) return null
  const { name, email, image } = current.user
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.person} aria-label={t('menu.person')}>
          <Avatar src={image} name={name} alt="" size={32} className={classes.avatar} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.userInfo}>
          <strong>{name}</strong>
          <span>{email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<SignOutIcon />}
          closeMenuOnClick={false}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {t('menu.signOut')}
        </Menu.Item>
        <Refused error={signOut.error} />
      </Menu.Dropdown>
    </Menu>
  )
}
