// Sets the color scheme before the first paint: the stored choice, else the system's. CSP forbids inline scripts.
const chosen = stored(() => localStorage.getItem('mantine-color-scheme-value'))
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

// A form that is submitted before the client has started is submitted again by the client (client/app/prerendered-input.ts).
// So is a click on a button, except those in fields. Of several, the last one counts.
addEventListener('submit', ({ target }) => remember(target, 'data-sent'), { capture: true })
addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element ? target.closest('#root button[type="button"]:not(form *)') : null
    if (button) remember(button, 'data-clicked')
  },
  { capture: true },
)

/**
 * Marks what the user has done before the client started.
 * @param {EventTarget | null} target
 * @param {string} mark
 */
function remember(target, mark) {
  if (!(target instanceof Element) || target.closest('#root:not([data-started])') === null) return
  for (const earlier of document.querySelectorAll('[data-sent], [data-clicked]')) {
    earlier.removeAttribute('data-sent')
    earlier.removeAttribute('data-clicked')
  }
  target.setAttribute(mark, '')
}

// The client's script has not loaded. A new version may have replaced its file: reloading the page once gets the new
// name. If that does not help, the page shows a message.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement && target.src.startsWith(`${location.origin}/`))) return
    const isFirst = stored(() => {
      const last = Number(sessionStorage.getItem('foyer.reloaded'))
      sessionStorage.setItem('foyer.reloaded', String(Date.now()))
      // Measured since this page started loading, regardless of how long it waited for its script.
      return performance.timeOrigin - last > 60_000
    })
    if (isFirst) setTimeout(() => location.reload(), 1000)
    else document.getElementById('unloaded')?.removeAttribute('hidden')
  },
  { capture: true },
)

/**
 * The result of a function that uses the browser's storage. Undefined where storage is blocked.
 * @template Value
 * @param {() => Value} read
 */
function stored(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}
