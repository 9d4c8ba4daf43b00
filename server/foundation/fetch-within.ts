/** Maximum duration of a call, including headers and body, and maximum size of its response. */
export type Limits = { milliseconds: number; bytes: number }

/**
 * Like `fetch`, but reads the whole response within the limits and follows no redirect, which could send a secret to
 * another host. Throws a `TimeoutError` or a `RangeError` if a limit is exceeded.
 *
 * A signal passed to `fetch` alone is not a reliable deadline: once the headers have arrived, Node 20 may
 * garbage-collect the link between the signal and the body, and reading then continues for as long as the server keeps
 * the connection open.
 */
export async function fetchWithin(
  limits: Limits,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const deadline = new AbortController()
  const deadlinePassed = new Promise<never>((_resolve, reject) => {
    deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason), { once: true })
  })
  deadlinePassed.catch(() => {})
  const { signal } = init ?? {}
  const follow = () => deadline.abort(signal?.reason)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  const timer = setTimeout(() => {
    deadline.abort(new DOMException('Timed out waiting for the response', 'TimeoutError'))
  }, limits.milliseconds)
  try {
    const call = fetch(input, { ...init, redirect: 'error', signal: deadline.signal })
    const response = await Promise.race([call, deadlinePassed])
    const body = response.body && (await readAll(response.body, { bytes: limits.bytes, isOver: deadlinePassed }))
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}

/** Reads a body to its end, or cancels it, which closes the connection. */
async function readAll(
  body: ReadableStream<Uint8Array>,
  { bytes, isOver }: { bytes: number; isOver: Promise<never> },
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), isOver])
      if (done) return joined(parts, size)
      size += value.length
      if (size > bytes) throw new RangeError('The response is too large')
      parts.push(value)
    }
  } catch (error) {
    reader.cancel(error).catch(() => {})
    throw error
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
