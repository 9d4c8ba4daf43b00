import { useEffect } from 'react'

/**
 * Keeps the focus on the screen when the element that has it is removed or disabled, such as a retry button or the row
 * of a canceled invitation: the keyboard and screen readers continue from there. An element that is enabled again gets
 * it back, otherwise the nearest heading gets it. Dialogs return it themselves (focus-return.ts).
 */
export function useKeptFocus(): void {
  useEffect(() => {
    // The focused element with its ancestors, which cannot be found once it is removed.
    let path: EventTarget[] = []
    const remember = (event: FocusEvent) => {
      // When a toast closes, the keyboard continues where it was before.
      if (!isInToast(event.target)) path = event.composedPath()
    }
    const forget = ({ target }: Event) => {
      if (isInToast(target)) return
      if (target instanceof Node && path[0] instanceof Node && !path[0].contains(target)) path = []
    }
    const restore = () => {
      if (path.length > 0 && isFocusLost()) requestAnimationFrame(() => requestAnimationFrame(focus))
    }
    const focus = () => {
      // A dialog that opens or closes at the same time has moved the focus.
      if (!isFocusLost()) return
      const [former] = path
      if (former instanceof HTMLElement && former.isConnected) former.focus({ preventScroll: true })
      else headingNear(path)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(restore)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

const isInToast = (target: EventTarget | null) => target instanceof Element && target.closest('[data-toast]') !== null

/** The first heading of the nearest of these elements that is still shown and has one. */
function headingNear(path: EventTarget[]): HTMLElement | undefined {
  for (const element of path) {
    if (!(element instanceof Element) || !element.isConnected) continue
    const heading = element.querySelector<HTMLElement>('h1, h2, h3')
    if (!heading) continue
    if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
    return heading
  }
  return undefined
}
