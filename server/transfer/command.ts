import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, type FileHandle, link, open, stat, unlink } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type { App } from '../dependencies.ts'
import type { EventOrigin } from '../event/event-rows.ts'
import { exportLines } from './export-lines.ts'
import { importLines } from './import-lines.ts'
import type { Outcome } from './outcome.ts'

/** The result of a command: lines to print, and the exit status. */
type Result = { lines: string[]; status: 0 | 1 | 2 }

const importUsage = 'Usage: npm run import -- [FILE] [--dry-run] [--report FILE]   (without FILE: standard input)'
const exportUsage = 'Usage: npm run export -- --out FILE   (it contains password hashes)'

/** Maximum number of notes printed. The report has all of them. */
const maxPrinted = 20

/**
 * `npm run import`: imports users and organizations from a file of JSON lines, and reports skipped lines with the
 * reason.
 */
export async function runImportCommand(app: App, args: string[]): Promise<Result> {
  const given = readArguments(args, { 'dry-run': { type: 'boolean' }, report: { type: 'string' } })
  if (!given || given.positionals.length > 1) return { lines: [importUsage], status: 2 }
  const [file] = given.positionals
  const dryRun = given.values['dry-run'] === true
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
  const total = found?.size
  // A pipe has a size of 0 and can be read; a directory cannot.
  if (file !== undefined && (!found || found.isDirectory())) return { lines: [`${file} cannot be read.`], status: 1 }
  const reportFile = typeof given.values['report'] === 'string' ? given.values['report'] : undefined
  const opened = reportFile === undefined ? undefined : await create(reportFile)
  if (typeof opened === 'string') {
    const reason = opened === 'EEXIST' ? 'already exists: name another file' : `cannot be written (${opened})`
    return { lines: [`${reportFile} ${reason}.`], status: 1 }
  }
  const report = opened?.createWriteStream()
  const reported = report && finished(report)
  reported?.catch(() => {})
  const ctx: App & EventOrigin = { ...app, now: app.clock(), ipAddress: '', userAgent: 'npm run import', requestId: '' }
  const counts = { imported: 0, existing: 0, skipped: 0 }
  const notes: string[] = []
  let noted = 0
  const show = progress(total)
  await importLines(ctx, file === undefined ? process.stdin : createReadStream(file), {
    dryRun,
    onOutcomes(outcomes, bytes) {
      for (const outcome of outcomes) {
        counts[outcome.result]++
        if (outcome.notes.length === 0) continue
        report?.write(`${JSON.stringify(outcome)}\n`)
        if (++noted <= maxPrinted) notes.push(noteOf(outcome))
      }
      show(bytes, counts)
    },
  })
  report?.end()
  await reported
  show(total ?? 0, counts, true)
  const more = noted - notes.length
  const { imported, existing, skipped } = counts
  return {
    lines: [
      ...notes,
      ...(more > 0 ? [`and ${more} more: --report FILE writes all of them.`] : []),
      `${dryRun ? 'Would import' : 'Imported'} ${imported}, already existing ${existing}, skipped ${skipped}.`,
    ],
    // A script must be able to detect that the import is incomplete.
    status: skipped > 0 ? 1 : 0,
  }
}

/** `npm run export`: writes all users and organizations to a file that only its owner can read. */
export async function runExportCommand(app: App, args: string[]): Promise<Result> {
  const given = readArguments(args, { out: { type: 'string' } })
  const out = given?.values['out']
  if (!given || given.positionals.length > 0 || typeof out !== 'string') return { lines: [exportUsage], status: 2 }
  if (await stat(out).catch(() => undefined)) return { lines: [`${out} already exists.`], status: 1 }
  // Written completely or not at all, under a name that no one can have prepared.
  const partial = `${out}.${randomUUID()}.part`
  const file = await create(partial)
  if (typeof file === 'string') return { lines: [`${out} cannot be written (${file}).`], status: 1 }
  try {
    const output = file.createWriteStream({ flush: true })
    const ended = finished(output)
    const { users, organizations } = await Promise.race([
      exportLines(app, output),
      // An error while writing, such as a full disk.
      ended.then(() => Promise.reject(new Error('the file was closed'))),
    ])
    output.end()
    await ended
    await publish(partial, out)
    return { lines: [`Wrote ${out} (users: ${users}, organizations: ${organizations}).`], status: 0 }
  } finally {
    await unlink(partial)
  }
}

/** Renames a file, unless another file of that name exists by now. Some file systems do not support links. */
async function publish(partial: string, out: string): Promise<void> {
  try {
    await link(partial, out)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    await copyFile(partial, out, constants.COPYFILE_EXCL)
    await chmod(out, 0o600)
  }
}

/**
 * Creates a file that only its owner can read, or returns the reason why it cannot be created. An existing file is not
 * changed.
 */
async function create(path: string): Promise<FileHandle | string> {
  return open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
}

function readArguments(args: string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    return undefined
  }
}

/** Maximum characters of a note that are printed. */
const maxNote = 400

/** A note as printed on a terminal: values from the file could contain control characters. */
function noteOf({ line, about, result, notes }: Outcome): string {
  const text = `Line ${line}${about === '' ? '' : ` (${about})`}: ${result === 'skipped' ? 'skipped, ' : ''}${notes.join('; ')}`
  const printable = text.replaceAll(/\p{C}/gu, '\u{fffd}')
  return printable.length > maxNote ? `${printable.slice(0, maxNote)}…` : printable
}

/** Shows the progress of an import: a line that is overwritten on a terminal, otherwise one line for each tenth. */
function progress(total: number | undefined) {
  const { stderr } = process
  const began = Date.now()
  let shownTenth = 0
  return (bytes: number, { imported, existing, skipped }: Record<Outcome['result'], number>, isEnd = false) => {
    const done = imported + existing + skipped
    const share = total ? Math.min(1, bytes / total) : undefined
    const perSecond = Math.round(done / Math.max(0.001, (Date.now() - began) / 1000))
    const filled = Math.round((share ?? 0) * 24)
    const bar =
      share === undefined ? '' : `[${'#'.repeat(filled)}${'.'.repeat(24 - filled)}] ${Math.floor(share * 100)} % `
    const text = `${bar}${done} lines, ${perSecond} per second`
    if (stderr.isTTY) {
      stderr.write(`\r${text}${isEnd ? '\n' : ''}`)
      return
    }
    const tenth = share === undefined ? Math.floor(done / 10_000) : Math.floor(share * 10)
    if (tenth > shownTenth || isEnd) stderr.write(`${text}\n`)
    shownTenth = Math.max(shownTenth, tenth)
  }
}
