import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { router } from './app/routes.tsx'
import { readTyped, writeTyped } from './app/typed.ts'
import { startLanguage } from './language/i18n.ts'
import './ui/global.css'

/** The Content Security Policy allows only <style> elements with this response's nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of drawers and dialogs (react-remove-scroll) injects a <style> element with this nonce.
setNonce(nonce)

async function start(container: HTMLElement): Promise<void> {
  await startLanguage()
  // What was sent with the page stays until the screen is ready to take its place.
  await router.load()
  const typed = readTyped(container)
  const root = createRoot(container)
  // In one step, so that nothing can be typed in between.
  flushSync(() =>
    root.render(
      <StrictMode>
        <App nonce={nonce} />
      </StrictMode>,
    ),
  )
  writeTyped(container, typed)
}

const container = document.getElementById('root')
// Not awaited here: the screens import this file's parts, and would wait for it while it waits for them.
if (container) void start(container)
