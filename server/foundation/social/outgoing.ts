/** Maximum duration of a provider request and maximum size of its response (SEC-77). */
const most = { milliseconds: 10_000, bytes: 1_000_000 }

/** Some providers reject requests without a custom User-Agent (Reddit 429, GitHub 403). */
const userAgent = 'Foyer (self-hosted sign-in)'

/** A provider request failed: unreachable, timeout, response too large, redirect, error status or invalid JSON. */
export class ProviderFailure extends Error {}

export type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; form?: Record<string, string> }

/** Calls a provider and returns its JSON. Limits time and size, and refuses redirects, which could leak secrets. */
export async function ask(url: string, { method = 'GET', headers = {}, form }: Call = {}): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(most.milliseconds),
      ...(form && { body: new URLSearchParams(form) }),
    })
    const text = await readText(response)
    if (!response.ok) throw new ProviderFailure(`status ${response.status}`)
    const answer: unknown = JSON.parse(text)
    return answer
  } catch (error) {
    // The cause may contain addresses and form fields. It is only logged.
    throw error instanceof ProviderFailure ? error : new ProviderFailure('no answer', { cause: error })
  }
}

/** Reads a response body up to the maximum size. */
export async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > most.bytes) throw new ProviderFailure('too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
