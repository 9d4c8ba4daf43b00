import type { z } from 'zod'
import type { Config } from '../config.ts'
import { appRouter } from '../router.ts'
import { otherOperations } from './non-procedure-operations.ts'
import { oauthOperations } from './oauth-operations.ts'
import { schemaOf } from './openapi-schema.ts'
import { type DescribedProcedure, proceduresOf } from './procedures.ts'
import { refusalResponses } from './refusal-responses.ts'
import { refusalsOf } from './refusals-by-call.ts'
import { webhookOperations } from './webhook-operations.ts'

type Json = Record<string, unknown>

/** Describes the REST API (OpenAPI 3.1), generated from the procedures that serve it. */
export function describeApi(
  { appOrigin, basePath, brand }: Pick<Config, 'appOrigin' | 'basePath' | 'brand'>,
  version: string,
): Json {
  const paths: Record<string, Json> = {}
  for (const procedure of proceduresOf(appRouter)) {
    const { name, meta } = procedure
    for (const served of [meta.rest, meta.alias]) {
      if (served === undefined) continue
      const [method = '', route = ''] = served.split(' ')
      const path = route.startsWith('/api/') ? route : `${basePath}${route}`
      const operation = operationOf(served === meta.alias ? `${name}.alias` : name, procedure, method)
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
    }
  }
  for (const { method, path, ...operation } of [...otherOperations(basePath), ...oauthOperations()])
    paths[path] = { ...paths[path], [method]: operation }
  return {
    openapi: '3.1.0',
    info: {
      title: brand.product,
      version,
      description:
        'Accounts, sessions, organizations, teams, invitations and payments. Browsers call with the cookie of their session, programs with an access token or an API key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: appOrigin }],
    tags: tagsOf(paths),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    webhooks: webhookOperations(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'foyer.session_token',
          description:
            'The session of a browser. Over https the name starts with __Host-, or with __Secure- if COOKIE_DOMAIN is set.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of the OpenID issuer whose audience is this server, or an API key.',
        },
        client: { type: 'http', scheme: 'basic', description: 'Id and secret of an OAuth client.' },
      },
    },
  }
}

/** A description of each group of operations, in the order in which the documentation shows them. */
const tagDescriptions: Record<string, string> = {
  session: 'Sign-up, all sign-in methods, sessions, sign-out',
  account: 'The account of the caller: profile, addresses, passwords, linked providers, deletion',
  passkey: 'Passkeys (WebAuthn)',
  twoFactor: 'Authenticator apps, recovery codes and the second step of a sign-in',
  organization: 'Organizations and their members',
  team: 'Teams of an organization',
  invitation: 'Invitations to an organization',
  picture: 'Pictures of users and organizations',
  payment: 'Plans, purchases, receipts and licenses of a user or an organization',
  subscription: 'Subscriptions',
  apiKey: 'Keys by which programs call this API',
  token: 'Tokens for back ends, and the keys that verify them',
  oauth: 'The OpenID issuer: sign-in for other applications',
  webhook: 'Events sent to other systems, and the log of all events',
  admin: 'For administrators: users, organizations, applications, emails, payments',
  server: 'Health, documentation, forward authentication',
}

/** The groups that are in use. Groups without a description come last. */
function tagsOf(paths: Record<string, Json>): Json[] {
  const used = new Set<string>()
  for (const operations of Object.values(paths))
    for (const { tags } of Object.values(operations) as { tags: string[] }[]) for (const tag of tags) used.add(tag)
  const known = Object.keys(tagDescriptions).filter((tag) => used.has(tag))
  const others = [...used].filter((tag) => !(tag in tagDescriptions))
  return [...known, ...others].map((name) => ({ name, description: tagDescriptions[name] ?? name }))
}

function operationOf(name: string, { inputs, output, meta }: DescribedProcedure, method: string): Json {
  const isOpenToPrograms = meta.openTo?.some((caller) => caller === 'access_token' || caller === 'api_key') ?? false
  const { needsSession = false } = meta
  const keys = refusalsOf({ name: name.replace(/\.alias$/, ''), isQuery: method === 'GET', meta })
  const input = inputOf(meta.bodyType ? [] : inputs)
  const [tag = ''] = name.split('.')
  return {
    operationId: name,
    summary: meta.summary,
    tags: [tag],
    security: needsSession
      ? [{ session: [] }, ...(isOpenToPrograms ? [{ bearer: [] }] : [])]
      : [{}, { session: [] }, { bearer: [] }],
    ...(method === 'GET' ? { parameters: parametersOf(input) } : meta.bodyType ? picture : bodyOf(input)),
    responses: {
      200: {
        description: 'Success',
        content: meta.responseType
          ? { 'application/pdf': {} }
          : { 'application/json': { schema: output ? schemaOf(output, 'output') : {} } },
      },
      ...refusalResponses(keys),
    },
  }
}

const picture = {
  requestBody: { required: true, content: { 'image/png': {}, 'image/jpeg': {}, 'image/webp': {} } },
}

/** The input of a procedure: its schemas are merged, as tRPC merges their values. */
function inputOf(inputs: readonly z.ZodType[]): { properties: Record<string, Json>; required: string[] } {
  const properties: Record<string, Json> = {}
  const required = new Set<string>()
  for (const input of inputs) {
    for (const part of partsOf(schemaOf(input, 'input'))) {
      Object.assign(properties, part.properties)
      for (const name of part.required ?? []) required.add(name)
    }
  }
  return { properties, required: [...required] }
}

type ObjectSchema = { properties?: Record<string, Json>; required?: string[] }

/** An object schema, or the alternatives of a union, of which only the shared required properties are required. */
function partsOf(schema: Json): ObjectSchema[] {
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(alternatives)) return [schema]
  const parts = alternatives.flatMap((one: Json) => partsOf(one))
  const shared = parts[0]?.required?.filter((name) => parts.every(({ required = [] }) => required.includes(name))) ?? []
  return parts.map(({ properties = {} }) => ({ properties, required: shared }))
}

function parametersOf({ properties, required }: ReturnType<typeof inputOf>): Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function bodyOf({ properties, required }: ReturnType<typeof inputOf>): Json {
  if (Object.keys(properties).length === 0) return {}
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return { requestBody: { required: required.length > 0, content: { 'application/json': { schema } } } }
}
