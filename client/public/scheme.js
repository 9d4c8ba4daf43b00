// Sets the colour scheme before the first paint: the stored choice, else the system's. CSP forbids inline scripts.
const chosen = stored(() => localStorage.getItem('mantine-color-scheme-value'))
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

// A form that is sent before the client has started is sent by the client once it has (client/app/typed.ts).
addEventListener('submit', ({ target }) => target instanceof Element && target.setAttribute('data-sent', ''), {
  capture: true,
})

// The script of the client has not arrived. Its file may have been replaced by a new version: the page, loaded once more, names
// the new one. If that does not help, the page says so.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement && target.src.startsWith(`${location.origin}/`))) return
    const isFirst = stored(() => {
      const last = Number(sessionStorage.getItem('foyer.reloaded'))
      sessionStorage.setItem('foyer.reloaded', String(Date.now()))
      // Since this page began, however long its script was waited for.
      return performance.timeOrigin - last > 60_000
    })
    if (isFirst) setTimeout(() => location.reload(), 1000)
    else document.getElementById('unloaded')?.removeAttribute('hidden')
  },
  { capture: true },
)

/**
 * What a function returns that uses the browser's storage. Undefined where storage is blocked.
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
