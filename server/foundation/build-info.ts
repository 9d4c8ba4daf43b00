import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version in package.json, and the commit that the build was made from. */
export type BuildInfo = { version: string; commit: string }

/** Reads the version and the commit. The build records its commit; a checkout reports the one that is checked out. */
export function readBuildInfo(projectFolder: string): BuildInfo {
  const read = (...path: string[]) => {
    try {
      return readFileSync(join(projectFolder, ...path), 'utf8').trim()
    } catch {
      return undefined
    }
  }
  const { version } = JSON.parse(read('package.json') ?? '{}') as { version?: string }
  const head = read('.git', 'HEAD')
  const [, ref] = /^ref: (\S+)$/.exec(head ?? '') ?? []
  const packed = ref === undefined ? undefined : read('.git', 'packed-refs')?.split('\n')
  const named = ref === undefined ? head : (read('.git', ref) ?? packed?.find((line) => line.endsWith(` ${ref}`)))
  const commit = [named, read('dist', 'commit')].map((text) => /^[\da-f]{7,40}/.exec(text ?? '')?.[0])
  return { version: version ?? '0.0.0', commit: commit.find((one) => one !== undefined) ?? 'unknown' }
}
