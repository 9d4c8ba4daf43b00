import { fetchWithin } from '../fetch-within.ts'

/** Maximum duration of a provider request and maximum size of its response. */
export const limits = { milliseconds: 10_000, bytes: 1_000_000 }

/** Some providers reject requests without a custom User-Agent (Reddit 429, GitHub 403). */
const userAgent = 'Foyer (self-hosted sign-in)'

/** A provider request failed: unreachable, timeout, response too large, redirect, error status or invalid JSON. */
export class ProviderFailure extends Error {}

export type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; form?: Record<string, string> }

/** Calls a provider and returns its JSON. Limits time and size, and refuses redirects, which could leak secrets. */
export async function ask(url: string, { method = 'GET', headers = {}, form }: Call = {}): Promise<unknown> {
  try {
    const response = await fetchWithin(limits, url, {
      method,
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    })
    const text = await response.text()
    if (!response.ok) throw new ProviderFailure(`status ${response.status}`)
    const answer: unknown = JSON.parse(text)
    return answer
  } catch (error) {
    // The cause may contain URLs and form fields. It is only logged.
    throw error instanceof ProviderFailure ? error : new ProviderFailure('no answer', { cause: error })
  }
}
