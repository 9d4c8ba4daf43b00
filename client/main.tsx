import '@mantine/core/styles/default-css-variables.layer.css'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { refusalOf } from './api/call-errors.ts'
import { queries } from './api/client.ts'
import { App } from './app/App.tsx'
import { reloadFailedStyles } from './app/failed-styles.ts'
import { readPrerenderedInput, writePrerenderedInput } from './app/prerendered-input.ts'
import { router } from './app/routes.tsx'
import { startLanguage } from './language/i18n.ts'
import { adoptPrerenderedLogos } from './session/ProviderLogo.tsx'
import './ui/global.css'

/** The Content Security Policy allows only <style> elements with this response's nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of drawers and dialogs (react-remove-scroll) injects a <style> element with this nonce.
setNonce(nonce)

/**
 * How long the first painted screen stays if the server does not answer, in milliseconds. After that, the reason is
 * shown.
 */
const firstPaintTimeoutMs = 10_000

/**
 * How long a signed-in user waits for a whole screen, in milliseconds. After that, header and navigation are shown, and
 * the rest follows.
 */
const shellTimeoutMs = 400

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Waits as long as there is nothing better to show than what was painted first. */
async function waitForFirstScreen(container: HTMLElement): Promise<void> {
  for (let waited = 0; waited < firstPaintTimeoutMs; waited += shellTimeoutMs) {
    await wait(shellTimeoutMs)
    // A prerendered screen is more than an empty shell.
    const isOnlyMark = container.querySelector('main') === null
    const isShellKnown = queries.session.get.getData() && queries.session.options.getData()
    // Mounted before the router has matched the URL, the page would stay blank while the screen loads.
    const hasMatches = router.state.matches.length > 0
    if (isOnlyMark && isShellKnown && hasMatches) return
  }
}

async function start(container: HTMLElement): Promise<void> {
  reloadFailedStyles()
  await startLanguage()
  adoptPrerenderedLogos(container)
  const { pathname } = location
  // What was painted first, a prerendered screen or the mark, stays until the screen is ready to replace it.
  await Promise.race([router.load(), waitForFirstScreen(container)])
  const typed = readPrerenderedInput(container)
  const root = createRoot(container, {
    // Refusals are shown on the screen, and are not errors of the client.
    onCaughtError: (error) => void (refusalOf(error) ?? reportError(error)),
  })
  // Clicks are handled by the screens from now on (public/scheme.js).
  container.dataset['started'] = ''
  // In one step, so that no input is lost in between.
  flushSync(() =>
    root.render(
      <StrictMode>
        <App nonce={nonce} />
      </StrictMode>,
    ),
  )
  // A signed-in user is redirected to another screen.
  if (location.pathname === pathname) writePrerenderedInput(container, typed)
}

const container = document.getElementById('root')
// Not awaited here: the screens import parts of this file, so both would wait for each other.
if (container) void start(container)
