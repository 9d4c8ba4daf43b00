/** How long to wait before a style that failed to load is requested again, in milliseconds. Doubled each time. */
const waitMs = 2_000
/** After a deployment, the styles of the former version may no longer exist. */
const maxAttempts = 5

/**
 * Requests styles again that failed to load, as while offline: when the connection is back, or after a moment. Vite
 * requests the style of a screen only once, and the screen would be shown without it from then on.
 */
export function reloadFailedStyles(): void {
  const listen = ({ target: link }: Event) => {
    if (!(link instanceof HTMLLinkElement) || link.rel !== 'stylesheet') return
    const attempts = Number(link.dataset['attempts'] ?? 0)
    if (attempts >= maxAttempts) return
    const again = () => {
      const copy = document.createElement('link')
      for (const { name, value } of link.attributes) copy.setAttribute(name, value)
      if (navigator.onLine) copy.dataset['attempts'] = String(attempts + 1)
      link.replaceWith(copy)
    }
    if (navigator.onLine) setTimeout(again, waitMs * 2 ** attempts)
    else globalThis.addEventListener('online', again, { once: true })
  }
  // Errors of resources do not bubble.
  document.addEventListener('error', listen, true)
}
