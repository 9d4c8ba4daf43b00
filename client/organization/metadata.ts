/** The metadata of an organization as lines of `key=value`. */
export function metadataLines(metadata: Record<string, string> | null): string {
  // A line break in a value is written as \n, so that a line stays one entry.
  const written = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`)
  return Object.entries(metadata ?? {})
    .map(([key, value]) => `${written(key)}=${written(value)}`)
    .join('\n')
}

/**
 * Parses lines of `key=value`. An empty text means no metadata; a line without `=` or without a key makes all of it
 * invalid.
 */
export function readMetadata(lines: string): Record<string, string> | undefined {
  const read = (text: string) => text.replaceAll(/\\([\\n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
  const entries = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf('=')
      return at < 1 ? undefined : ([read(line.slice(0, at).trim()), read(line.slice(at + 1).trim())] as const)
    })
  if (entries.length === 0) return {}
  return entries.includes(undefined) ? undefined : Object.fromEntries(entries.filter((entry) => entry !== undefined))
}
