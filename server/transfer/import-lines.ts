import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { OrganizationLine, UserLine } from '../../shared/transfer.ts'
import { refreshDecoys } from '../account/refresh-decoys.ts'
import type { App } from '../dependencies.ts'
import type { EventOrigin } from '../event/event-rows.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { isRecord } from '../foundation/records.ts'
import { rejectMalformedInput } from '../procedure/input.ts'
import { importOrganization, type ImportState } from './import-organization.ts'
import { noUsedValues, importUsers } from './import-users.ts'
import { linesOf } from './lines.ts'
import type { Numbered, Outcome } from './outcome.ts'

/** Attempts per transaction. The database may be unreachable for half a minute. */
const maxAttempts = 10

/** Users stored in one transaction. */
const batchSize = 250
/** Batches after which the costs of the passwords are counted. */
const batchesPerCount = 40

type Options = { dryRun: boolean; onOutcomes: (outcomes: readonly Outcome[], bytes: number) => void }

/**
 * Imports lines as they are read. Each transaction is complete in itself, and existing rows stay unchanged: an
 * interrupted import is restarted with the same file. `onOutcomes` is called with the outcomes of lines, and the number
 * of bytes read.
 */
export async function importLines(
  app: App & EventOrigin,
  input: Readable,
  { dryRun, onOutcomes }: Options,
): Promise<void> {
  const dryRunUsers = new Map<string, string>()
  const seenIds = new Set<string>()
  let hasUsers = false
  let batches = 0
  const known: ImportState = {
    seenIds,
    hasUsers: () => hasUsers,
    dryRunUsers,
    dryRunIds: new Set<string>(),
    dryRunSlugs: new Map(),
  }
  const dryRunValues = noUsedValues()
  let waiting: Numbered<UserLine>[] = []
  let bytes = 0
  let line = 0

  /**
   * Imports all lines in one transaction. If the database refuses it, each line gets its own, to find out which one
   * failed.
   */
  async function importBatch(lines: readonly Numbered<UserLine>[]): Promise<Outcome[]> {
    try {
      return await withRetries(() => importUsers(app, lines, { dryRun, dryRunValues }))
    } catch (error) {
      const [only, ...more] = lines
      if (isUnavailable(error)) throw error
      if (only && more.length === 0) return [failed(app, { ...only, about: only.value.email }, error)]
      const outcomes: Outcome[] = []
      for (const one of lines) outcomes.push(...(await importBatch([one])))
      return outcomes
    }
  }

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const outcomes = await importBatch(waiting)
    for (const { id, result } of outcomes) if (id !== undefined && result !== 'skipped') seenIds.add(id)
    if (!dryRun && batches++ % batchesPerCount === 0) await refreshDecoys(app)
    if (dryRun) {
      const imported = new Set(outcomes.filter(({ result }) => result === 'imported').map(({ line: at }) => at))
      for (const { value } of waiting.filter(({ line: at }) => imported.has(at))) {
        dryRunUsers.set(value.email, value.id ?? value.email)
        if (value.id !== undefined) dryRunUsers.set(value.id, value.id)
      }
    }
    waiting = []
    onOutcomes(outcomes, bytes)
  }

  for await (const { text, size } of linesOf(input)) {
    line++
    bytes += size
    if (text?.trim() === '') continue
    const read = readLine(text)
    hasUsers ||= !('organization' in read) && !('isOrganization' in read)
    if ('problem' in read) onOutcomes([{ line, about: read.about, result: 'skipped', notes: [read.problem] }], bytes)
    else if ('user' in read) {
      waiting.push({ line, value: read.user })
      if (waiting.length >= batchSize) await flush()
    } else {
      await flush()
      const numbered = { line, value: read.organization }
      const outcome = await withRetries(() => importOrganization(app, numbered, { dryRun, known })).catch(
        (error: unknown) => failed(app, { ...numbered, about: numbered.value.slug }, error),
      )
      onOutcomes([outcome], bytes)
    }
  }
  await flush()
  if (!dryRun) await refreshDecoys(app)
}

/**
 * Retries temporary failures of the database, such as a conflict with a sign-up. Each transaction is completed or has
 * no effect.
 */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || attempt === maxAttempts) throw error
      await wait(attempt * 500)
    }
  }
}

/** The outcome of a line that the database refuses. */
function failed(app: App, { line, about }: { line: number; about: string }, error: unknown): Outcome {
  if (isUnavailable(error)) throw error
  app.log.warn({ err: error, line }, 'failed to import a line')
  return { line, about, result: 'skipped', notes: ['a value violates a database constraint'] }
}

type Read =
  | { user: UserLine }
  | { organization: OrganizationLine }
  | { problem: string; about: string; isOrganization?: true }

function readLine(text: string | undefined): Read {
  if (text === undefined) return { problem: 'the line is longer than 64 MB, or is not UTF-8', about: '' }
  let json: unknown
  try {
    // Some programs write a byte order mark at the start of the file.
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { problem: 'the line is not JSON', about: '' }
  }
  if (!isRecord(json)) return { problem: 'the line is not an object', about: '' }
  try {
    rejectMalformedInput(json, 'mutation')
  } catch {
    return { problem: 'it contains NUL characters or unpaired surrogates', about: '' }
  }
  const isOrganization = json['type'] === 'organization'
  const name = json[isOrganization ? 'slug' : 'email'] ?? json['id']
  const about = typeof name === 'string' || typeof name === 'number' ? String(name).slice(0, 100) : ''
  if (isOrganization) {
    const parsed = OrganizationLine.safeParse(json)
    if (parsed.success) return { organization: parsed.data }
    return { problem: reasonOf(parsed.error), about, isOrganization: true }
  }
  const parsed = UserLine.safeParse(json)
  return parsed.success ? { user: parsed.data } : { problem: reasonOf(parsed.error), about }
}

function reasonOf({ issues }: { issues: readonly { path: readonly PropertyKey[] }[] }): string {
  const fields = [...new Set(issues.map(({ path }) => path.map(String).join('.')))]
  return `not valid: ${fields.join(', ')}`
}
