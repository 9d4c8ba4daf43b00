import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { isRecord } from '../foundation/records.ts'
import { appRouter } from '../router.ts'
import type { Browser } from '../testing/browser.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { startProvider, webhookKey } from '../testing/payments.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere } from '../testing/test-users.ts'
import { proceduresOf } from './procedures.ts'

/**
 * Fuzzes every procedure through both transports with mutated inputs generated from its schema: never a 5xx, never a
 * hang, and a refused call stores nothing. Runs are reproducible by seed; see FUZZ_SEED and FUZZ_RUNS.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const minRequests = Number(process.env['FUZZ_RUNS'] ?? 5_200)

/** Timeout for a hanging request; far longer than any response takes on a slow machine. */
const hangMs = 120_000

const provider = await startProvider()
const testApp = await createTestApp({
  DODO_PAYMENTS_API_KEY: 'test',
  DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
  DODO_PAYMENTS_BASE_URL: provider.url,
  GITHUB_CLIENT_ID: 'x',
  GITHUB_CLIENT_SECRET: 'y',
})

type Target = {
  path: string
  type: 'query' | 'mutation'
  rest: { method: string; path: string } | undefined
  input: fc.Arbitrary<unknown>
}

/** Problematic strings: homoglyphs, control characters, lone surrogates, injections and plausible values. */
const malformedStrings = [
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil',
  '\u212aelvin',
  '\'; drop table "User"; --',
  '{"contains":""}',
  '../../etc/passwd',
  '//evil.test',
  'https://evil.test/\\@foyer',
  'javascript:alert(1)',
  '<script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'a@b.test,c@d.test',
  'name@example.test\r\nBcc: x@evil.test',
  'x'.repeat(300),
  'x'.repeat(5_000),
  'é'.repeat(2_049),
  '2026-02-30T99:99:99Z',
  '1e309',
  'owner',
  'admin,owner',
  'member,',
]
const malformedValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...malformedStrings),
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 2 ** 53, Number.MIN_SAFE_INTEGER, [], {}, [[]], { a: { b: [] } }),
  fc.constantFrom<unknown>({ contains: '' }, { toString: 'x' }, ['a', 'b'], { __proto__: null, length: 1e9 }),
  fc.string({ maxLength: 40, unit: 'binary' }),
)

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
})

/** Values of a JSON schema, with one in six malformed; `known` are existing ids and names. */
function valuesOf(given: unknown, known: readonly string[]): fc.Arbitrary<unknown> {
  const { data: schema } = Schema.safeParse(given)
  if (!schema) return malformedValues
  const good = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return fc.oneof(...options.map((option) => valuesOf(option, known)))
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, field]) => [name, valuesOf(field, known)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
    }
    switch ([schema.type].flat()[0]) {
      case 'string':
        return fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 30 }), fc.emailAddress(), fc.uuid())
      case 'number':
      case 'integer':
        return fc.oneof(fc.integer({ min: -2, max: 120 }), fc.double())
      case 'boolean':
        return fc.boolean()
      case 'array':
        return fc.array(valuesOf(schema.items, known), { maxLength: 4 })
      default:
        return fc.oneof(
          malformedValues,
          fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), { maxKeys: 3 }),
        )
    }
  }
  return fc.oneof({ arbitrary: good(), weight: 5 }, { arbitrary: malformedValues, weight: 1 })
}

/** Every procedure, with its REST path; those with two paths twice. */
function targetsOf(known: readonly string[]): Target[] {
  return proceduresOf(appRouter).flatMap(({ name: path, isQuery, inputs, meta }) => {
    const schemas = inputs.map((input) =>
      valuesOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), known),
    )
    const target = { path, type: isQuery ? ('query' as const) : ('mutation' as const), input: merged(schemas) }
    const paths = [meta.rest, ...(meta.alias === undefined ? [] : [meta.alias])]
    return paths.map((rest) => {
      const [method = '', restPath = ''] = rest?.split(' ') ?? []
      return { ...target, rest: rest === undefined ? undefined : { method, path: restPath } }
    })
  })
}

/** Values of several schemas, which tRPC merges. */
function merged(parts: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  const [only] = parts
  if (only === undefined) return malformedValues
  if (parts.length === 1) return only
  return fc.tuple(...parts).map((values) => (values.every(isRecord) ? Object.assign({}, ...values) : values[0]))
}

/** Calls a procedure through one of the transports. */
async function call(
  browser: Browser,
  target: Target,
  input: unknown,
  byRest: boolean,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(hangMs)
  const json = { 'content-type': 'application/json' }
  const text = JSON.stringify(input) ?? ''
  if (byRest && target.rest) {
    const base = target.rest.path.startsWith('/api/') ? '' : testApp.config.basePath
    const path = base + target.rest.path
    if (target.rest.method === 'GET') return browser.request(path + queryOf(input), { signal })
    return browser.request(path, { method: 'POST', headers: json, body: text, signal })
  }
  const path = `/api/trpc/${target.path}`
  if (target.type === 'query')
    return browser.request(`${path}?input=${encodeURIComponent(wellFormed(text))}`, { signal })
  return browser.request(path, { method: 'POST', headers: json, body: text, signal })
}

function queryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const pairs = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(text))}`
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** A URL cannot contain a lone surrogate. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd')
}

/** Tables that a refused call inserts into: limits and events record refusals by design. */
const recording = ['RateLimitCounter', 'Event', '_prisma_migrations']
let countText = ''
beforeAll(async () => {
  const { rows } = await testApp.pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [recording],
  )
  const counts = rows.map(({ tablename }) => `(select count(*)::int from "${tablename}") as "${tablename}"`)
  countText = `select ${counts.join(', ')}`
})
/** The number of rows of each table. */
const countRows = async () => (await testApp.pool.query<Record<string, number>>(countText)).rows[0]

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Heap size after a full garbage collection. */
function heapBytes(): number {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

it('every procedure and REST path handles any input (SEC-80)', async () => {
  const owner = await createOrganizationOwner(testApp)
  const friend = await createUser(testApp)
  const known = [
    owner.email,
    friend.email,
    owner.organization.id,
    owner.organization.slug,
    owner.memberId,
    owner.teamId,
    owner.id,
  ]
  const targets = targetsOf(known)
  const perTarget = Math.ceil(minRequests / (targets.length + targets.filter(({ rest }) => rest).length))
  const anonymous = testApp.browser()
  let signed = owner.browser
  let requests = 0
  const outcomes = { accepted: 0, refused: 0 }
  const faults: string[] = []
  let heapBefore = 0
  for (const target of targets) {
    for (const byRest of target.rest ? [true, false] : [false]) {
      const inputs = fc.sample(target.input, { seed: seed + requests, numRuns: perTarget })
      for (const [n, input] of inputs.entries()) {
        // Some calls end the session, and one deletes the account: continue with a new user.
        if (!signed.jar.has('foyer.session_token'))
          signed =
            (await signInElsewhere(testApp, friend).catch(() => undefined)) ?? (await createUser(testApp)).browser
        const before = await countRows()
        const { status, text } = await call(n % 4 === 0 ? anonymous : signed, target, input, byRest)
        requests++
        outcomes[status < 300 ? 'accepted' : 'refused']++
        if (requests === Math.floor(minRequests / 2)) heapBefore = heapBytes()
        const isAnswered = status >= 200 && status < 500
        const after = status >= 400 ? await countRows() : before
        const grown = Object.keys(after ?? {}).filter((table) => (after?.[table] ?? 0) > (before?.[table] ?? 0))
        // Sign-in with an unverified email address resends the link. No other refusal stores anything.
        const isStored = grown.some((table) => table !== 'Mail' || !text.includes('EMAIL_NOT_VERIFIED'))
        if (!isAnswered || isStored) {
          faults.push(
            `${target.path} ${byRest ? 'REST' : 'tRPC'} ${status} ${grown.join()} ${JSON.stringify(input)?.slice(0, 300)} ${text.slice(0, 200)}`,
          )
        }
      }
    }
  }
  expect(faults).toEqual([])
  expect(requests).toBeGreaterThanOrEqual(minRequests)
  // Sanity check: some inputs are accepted and some are refused.
  expect(outcomes.accepted).toBeGreaterThan(requests / 20)
  expect(outcomes.refused).toBeGreaterThan(requests / 4)
  // The second half may retain a few kilobytes per request, mostly the log lines collected by the test application.
  expect(heapBytes() - heapBefore).toBeLessThan((minRequests / 2) * 4_096)
  // No response contains a stack trace or a statement, and no fault was logged.
  expect(testApp.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
}, 1_200_000)
