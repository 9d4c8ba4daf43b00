import { createTRPCClient, httpBatchLink } from '@trpc/client'
import type { AppRouter } from '../router.ts'

/** Untyped JSON; tests assert on its fields. */
export type UntypedJson = ReturnType<typeof JSON.parse>

export type Browser = ReturnType<typeof createBrowser>

/** A response; `body` is the parsed JSON, or the text if the response is not JSON. */
export type Answer = {
  status: number
  body: UntypedJson
  headers: Headers
  cookies: string[]
  location: string | null
  text: string
}

/** HTTP client that behaves like a browser: keeps cookies and sends Origin. It does not follow redirects. */
export function createBrowser(origin: string, basePath: string) {
  const jar = new Map<string, string>()

  function keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /max-age=0\b/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
  }

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (jar.size > 0 && !headers.has('cookie')) headers.set('cookie', cookieHeader(jar))
    if (init.method === 'POST' && !headers.has('origin')) headers.set('origin', origin)
    if (headers.get('origin') === 'none') headers.delete('origin')
    const url = path.startsWith('http') ? path : origin + path
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    const cookies = response.headers.getSetCookie()
    keep(cookies)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body: UntypedJson = isJson && text !== '' ? JSON.parse(text) : text
    return {
      status: response.status,
      body,
      text,
      headers: response.headers,
      cookies,
      location: response.headers.get('location'),
    }
  }

  const pathOf = (path: string) => (/^(?:http|\/api\/)/.test(path) ? path : basePath + path)
  const json = { 'content-type': 'application/json' }
  return {
    jar,
    /** Stores the Set-Cookie headers of a response that was fetched by other means. */
    keep,
    request,
    /** GET relative to the base path; absolute URLs and paths below /api/ are used unchanged. */
    get: (path: string, headers?: Record<string, string>) => request(pathOf(path), headers && { headers }),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) =>
      request(pathOf(path), { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } }),
    /** Another browser with a copy of the cookies, as after cookie theft. */
    copy() {
      const other = createBrowser(origin, basePath)
      for (const [name, value] of jar) other.jar.set(name, value)
      return other
    },
    /** The typed tRPC client, with this browser's cookies. */
    trpc: createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          url: `${origin}/api/trpc`,
          async fetch(url, options) {
            const headers = new Headers(options?.headers)
            if (jar.size > 0) headers.set('cookie', cookieHeader(jar))
            headers.set('origin', origin)
            const response = await fetch(url, { ...options, headers, signal: null })
            keep(response.headers.getSetCookie())
            return response
          },
        }),
      ],
    }),
  }
}

export function cookieHeader(jar: Map<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
