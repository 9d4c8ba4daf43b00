import { Burger, Drawer, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { useFocusReturn } from '../ui/focus-return.ts'
import { useKeptFocus } from '../ui/kept-focus.ts'
import { Logo } from '../ui/Logo.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { SearchIcon } from '../ui/screen-icons.tsx'
import { SessionEnded } from '../ui/ScreenStates.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Navigation } from './Navigation.tsx'
import { OrganizationSwitcher } from './OrganizationSwitcher.tsx'
import { useSameUser } from './same-user.ts'
import { UserMenu } from './UserMenu.tsx'
import classes from './AppShell.module.css'

const loadPalette = () => import('./CommandPalette.tsx')
const CommandPalette = lazy(() => loadPalette().then(({ CommandPalette: palette }) => ({ default: palette })))

/** Milliseconds to wait before the command palette is loaded, so that the first screen loads first. */
const paletteDelayMs = 1_500

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/**
 * The persistent layout: header, and navigation in a sidebar or drawer. It is a pathless parent route, so that it stays
 * mounted while a screen loads or fails.
 */
export function AppShell() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  useSameUser(current?.user.id)
  useKeptFocus()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  // Whether the drawer has led to another screen, whose heading then gets the focus.
  const isLeft = useRef(false)
  const open = () => {
    isLeft.current = false
    toggle()
  }
  const leave = () => {
    isLeft.current = true
    close()
  }
  const [isFinding, setFinding] = useState(false)
  useHotkeys([['mod+K', () => setFinding(true)]], [])
  // Loaded before it is used: what is typed right after the shortcut must not be lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), paletteDelayMs)
    return () => clearTimeout(timer)
  }, [])
  if (!current) return <SessionEnded />
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {t('common.skip')}
      </a>
      <header className={classes.bar}>
        <Burger className={classes.burger} size="sm" opened={isOpen} onClick={open} aria-label={t('menu.open')} />
        <Link to="/" className={classes.home} aria-label={brand.product}>
          <Logo />
        </Link>
        <span className={classes.slash} aria-hidden="true">
          /
        </span>
        <OrganizationSwitcher />
        <UnstyledButton
          className={classes.find}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setFinding(true)}
          onPointerEnter={() => void loadPalette()}
        >
          <SearchIcon />
          <span className={classes.findText}>{t('menu.find')}</span>
          <kbd className={classes.key}>{isMac ? '⌘K' : t('menu.shortcut')}</kbd>
        </UnstyledButton>
        <UserMenu />
      </header>
      <aside className={classes.column}>
        <Navigation />
      </aside>
      <Drawer.Root opened={isOpen} onClose={close} size={280} returnFocus={false}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('menu.sections')}>
          <Drawer.Body>
            <FocusReturn isLeft={isLeft} />
            <div className={classes.drawerTop}>
              <Logo />
              <Drawer.CloseButton aria-label={t('common.close')} />
            </div>
            <Navigation onNavigate={leave} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      {isFinding && (
        <Suspense>
          <CommandPalette onClose={() => setFinding(false)} />
        </Suspense>
      )}
      <Toasts />
    </div>
  )
}

/** Returns the focus to the menu's button when the drawer closes, unless it has led to another screen. */
function FocusReturn({ isLeft }: { isLeft: RefObject<boolean> }) {
  useFocusReturn(isLeft)
  return null
}
