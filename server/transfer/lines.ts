import type { Readable } from 'node:stream'

/** Maximum bytes of a line. An organization of a hundred thousand members has about 15 MB. */
const maxBytes = 64 * 1024 * 1024

/** A line without its terminator, and its size in bytes. The text is undefined if the line is too long or not UTF-8. */
type Line = { text: string | undefined; size: number }

/**
 * The lines of a file, separated by line feeds only: JSON may contain the separators of Unicode unescaped, and from
 * Node 24 on `node:readline` ends a line there too.
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
