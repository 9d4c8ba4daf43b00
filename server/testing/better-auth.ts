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
