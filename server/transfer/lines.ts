import type { Readable } from 'node:stream'

/** Bytes of a line: an organization of a hundred thousand members has about 15 MB. */
const maxBytes = 64 * 1024 * 1024

/** A line without its end, and its bytes with it. The text is undefined if the line is too long or no UTF-8. */
type Line = { text: string | undefined; size: number }

/**
 * The lines of a file, which end with a line feed and nothing else: in JSON the separators of Unicode may stand as they are, and
 * `node:readline` ends a line there too from Node 24 on.
 */
export async function* linesOf(input: Readable): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let size = 0
  const end = (): Line => {
    const line = { text: size > maxBytes ? undefined : decoded(Buffer.concat(parts)), size: size + 1 }
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    let rest = Buffer.from(chunk)
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      size += at
      if (size <= maxBytes) parts.push(rest.subarray(0, at))
      yield end()
      rest = rest.subarray(at + 1)
    }
    size += rest.length
    if (size <= maxBytes) parts.push(rest)
    else parts = []
  }
  if (size > 0) yield end()
}

function decoded(line: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line).replace(/\r$/, '')
  } catch {
    return undefined
  }
}
