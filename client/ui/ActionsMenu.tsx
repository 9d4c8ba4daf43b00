import { ActionIcon, Loader, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../language/translation.ts'
import { MoreIcon } from './screen-icons.tsx'

type ActionsMenuProps = { name: string; isPending?: boolean; returnFocus?: boolean; children: ReactNode }

/** The actions of a row: a menu behind three dots, named after the row for screen readers. */
export function ActionsMenu({ name, isPending = false, returnFocus = false, children }: ActionsMenuProps) {
  const { t } = useTranslation()
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      // A table that scrolls would clip it.
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
      returnFocus={returnFocus}
    >
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size={36}
          className="quiet-button"
          // Not disabled: it keeps the focus.
          aria-busy={isPending}
          aria-label={t('common.actions', { name })}
        >
          {isPending ? <Loader size={18} /> : <MoreIcon />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
