import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Returns the focus when a dialog or a bar disappears: to the element that had it before. A menu item no longer exists
 * by then, so the menu's button gets it. If that was removed too, as with the row of a removed member, or nothing had
 * the focus, the heading of the screen gets it. Nothing is done if `isLeft`: another screen has been opened.
 */
export function useFocusReturn(isLeft?: RefObject<boolean>): void {
  // Read before the menu closes and the dialog takes the focus.
  const [opener] = useState(() => openerOf(document.activeElement))
  // Before the next frame, in which others look for a lost focus (kept-focus.ts).
  useLayoutEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (isLeft?.current) return
        if (document.activeElement !== null && document.activeElement !== document.body) return
        const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('main h1')
        target?.focus({ preventScroll: true })
      })
    },
    [opener, isLeft],
  )
}

function openerOf(active: Element | null): HTMLElement | null {
  if (!(active instanceof HTMLElement) || active === document.body) return null
  const menuButton = active.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return menuButton ? document.getElementById(menuButton) : active
}
