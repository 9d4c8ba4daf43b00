/** How long a provider may take for one answer, and how much it may say (SEC-77). */
const most = { milliseconds: 10_000, bytes: 1_000_000 }

/** Some providers refuse callers without a name of their own (reddit 429, github 403). */
const userAgent = 'Foyer (self-hosted sign-in)'

/** A provider did not answer as it has to: away, too slow, too much, redirected, an error, or no JSON. */
export class ProviderFailure extends Error {}

export type Call = { method?: 'GET' | 'POST'; headers?: Record<string, string>; form?: Record<string, string> }

/** Calls a provider and answers its JSON: within a time, to a size, and never by a redirect, which could carry secrets on. */
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
    // The cause may name addresses and forms; it stays in the log.
    throw error instanceof ProviderFailure ? error : new ProviderFailure('no answer', { cause: error })
  }
}

/** A body, up to the size that a provider may have. */
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
