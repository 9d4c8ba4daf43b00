import { createAuthClient } from 'better-auth/client'
import type { Browser, UntypedJson } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** The unmodified client of better-auth 1.2.7 with a plugin, in the browser of a person. */
export function clientWith(plugin: unknown, { browser }: { browser: Browser }, { origin }: TestApp): UntypedJson {
  const plugins: UntypedJson = [plugin]
  return createAuthClient({
    baseURL: origin,
    plugins,
    fetchOptions: {
      async customFetchImpl(input, init) {
        const headers = { ...Object.fromEntries(new Headers(init?.headers)), origin }
        const { status, text, headers: answered } = await browser.request(String(input), { ...init, headers })
        return new Response(text, { status, headers: { 'content-type': answered.get('content-type') ?? '' } })
      },
    },
  })
}

/** The same client with several plugins in a new browser, whose cookies and Origin header it sends by itself. */
export function createBetterAuthClient(
  testApp: TestApp,
  plugins: readonly unknown[],
): { client: UntypedJson; browser: Browser } {
  const browser = testApp.browser()
  // Untyped: the library's types do not compile with exactOptionalPropertyTypes.
  const untyped: UntypedJson = plugins
  const client: UntypedJson = createAuthClient({
    baseURL: testApp.origin,
    plugins: untyped,
    fetchOptions: {
      customFetchImpl: async (input, init) => {
        const headers = new Headers(init?.headers)
        const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
        if (cookie !== '') headers.set('cookie', cookie)
        headers.set('origin', testApp.origin)
        const response = await fetch(input, { ...init, headers, redirect: 'manual' })
        browser.keep(response.headers.getSetCookie())
        return response
      },
    },
  })
  return { client, browser }
}
