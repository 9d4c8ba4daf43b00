import { Avatar, Burger, Drawer, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Switcher } from '../organization/Switcher.tsx'
import { can } from '../../shared/permissions.ts'
import { trpc } from '../trpc.ts'
import { Heading } from './Door.tsx'
import { Refused } from './Form.tsx'
import { leave } from './navigation.ts'
import {
  CardSign,
  HomeSign,
  HouseSign,
  LeaveSign,
  LetterSign,
  ListSign,
  PeopleSign,
  SettingsSign,
  ShieldSign,
  TeamSign,
} from './icons.tsx'
import { SignedOutMeanwhile } from './Failure.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Mark } from './Mark.tsx'
import { SchemeMenu } from './SchemeMenu.tsx'
import classes from './Frame.module.css'

/** A screen inside: the bar above, the sections at the left or in a drawer, the content. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  if (!current) return <SignedOutMeanwhile />
  return (
    <div className={classes.frame}>
      <title>{`${title} · Foyer`}</title>
      <a className={classes.skip} href="#content">
        {t('common.skip')}
      </a>
      <header className={classes.bar}>
        <Burger className={classes.burger} size="sm" opened={isOpen} onClick={toggle} aria-label={t('menu.open')} />
        <Link to="/" className={classes.home} aria-label="Foyer">
          <Mark />
        </Link>
        <Switcher />
        <PersonMenu />
      </header>
      <aside className={classes.column}>
        <Sections />
      </aside>
      <Drawer.Root opened={isOpen} onClose={close} size={280}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('menu.sections')}>
          <Drawer.Body>
            <div className={classes.drawerTop}>
              <Mark />
              <Drawer.CloseButton aria-label={t('common.close')} />
            </div>
            <Sections onFollow={close} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Heading>{title}</Heading>
        {children}
      </main>
    </div>
  )
}

/** The way to each section: the organization's where one is open; and the looks of the screens below. */
function Sections({ onFollow }: { onFollow?: () => void }) {
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
    ...(onFollow && { onClick: onFollow }),
  }
  return (
    <>
      <nav aria-label={t('menu.sections')} className={classes.sections}>
        <Link to="/" {...entry}>
          <HomeSign />
          {t('menu.home')}
        </Link>
        {slug !== undefined && (
          <div className={classes.room}>
            <Link to="/o/$slug" params={{ slug }} {...entry}>
              <PeopleSign />
              {t('menu.members')}
            </Link>
            <Link to="/o/$slug/invitations" params={{ slug }} {...entry}>
              <LetterSign />
              {t('menu.invitations')}
            </Link>
            <Link to="/o/$slug/teams" params={{ slug }} {...entry}>
              <TeamSign />
              {t('menu.teams')}
            </Link>
            <Link to="/o/$slug/settings" params={{ slug }} {...entry}>
              <HouseSign />
              {t('menu.organization')}
            </Link>
            {mayAudit && (
              <Link to="/o/$slug/activity" params={{ slug }} {...entry}>
                <ListSign />
                {t('activity.auditTitle')}
              </Link>
            )}
            {hasPayments && (
              <Link to="/o/$slug/billing" params={{ slug }} {...entry}>
                <CardSign />
                {t('menu.billing')}
              </Link>
            )}
          </div>
        )}
        {hasPayments && slug === undefined && (
          <Link to="/billing" {...entry}>
            <CardSign />
            {t('menu.billing')}
          </Link>
        )}
        {isAdministrator && slug === undefined && (
          <Link to="/admin" {...entry}>
            <ShieldSign />
            {t('menu.admin')}
          </Link>
        )}
        <Link to="/settings" {...entry}>
          <SettingsSign />
          {t('menu.mySettings')}
        </Link>
      </nav>
      <div className={classes.looks}>
        <LanguageMenu onChoose={(language) => update.mutate({ language })} />
        <SchemeMenu />
      </div>
    </>
  )
}

/** Who is signed in, and the way out. */
function PersonMenu() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const signOut = trpc.session.signOut.useMutation({ onSuccess: leave })
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
        <div className={classes.who}>
          <strong>{name}</strong>
          <span>{email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<LeaveSign />}
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
