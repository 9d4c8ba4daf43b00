import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { i18n, startLanguage } from './language/i18n.ts'
import { router } from './app/routes.tsx'
import { client, queryClient, trpc } from './app/trpc.ts'
import { cssVariablesResolver, theme } from './ui/theme.ts'
import './ui/global.css'

/** The Content Security Policy allows only <style> elements with this response's nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of drawers and dialogs (react-remove-scroll) injects a <style> element with this nonce.
setNonce(nonce)

await startLanguage()
const container = document.getElementById('root')
if (container) {
  createRoot(container).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariablesResolver}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <trpc.Provider client={client} queryClient={queryClient}>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </trpc.Provider>
        </MantineProvider>
      </I18nextProvider>
    </StrictMode>,
  )
}
