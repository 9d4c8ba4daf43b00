import { parseArgs } from 'node:util'
import { grantTypes } from '../../shared/oauth.ts'
import type { App } from '../dependencies.ts'
import { originWithoutRequest, record } from '../event/record.ts'
import { transaction } from '../foundation/transactions.ts'
import {
  createClient,
  deleteClient,
  grantProblem,
  grantsOf,
  listClients,
  updateClient,
  uriProblem,
  urisOf,
} from './clients.ts'

const usage = `Usage: npm run client -- create --name NAME [--redirect-uri URI …] [--post-logout-redirect-uri URI …]
  [--backchannel-logout-uri URI] [--first-party] [--public] [--grant GRANT …]
  [--logo-uri URI] [--json]
npm run client -- update CLIENT_ID --name NAME [URIs as for create; those that are left out are removed]
npm run client -- list
npm run client -- delete CLIENT_ID
GRANT is one of ${grantTypes.join(', ')}; without any, the first two.`

/** The result of a command: lines to print, and the exit status. */
type Outcome = { lines: string[]; status: 0 | 1 | 2 }

/** `npm run client`: manages the applications that users sign in to with Foyer. */
export async function runClientCommand(app: App, [verb, ...args]: string[]): Promise<Outcome> {
  if (verb === 'create') return createFrom(app, args)
  if (verb === 'update') return updateFrom(app, args)
  if (verb === 'list' && args.length === 0) {
    const clients = await listClients(app.db)
    const lines = clients.map(({ id, name, isFirstParty }) => `${id}  ${name}${isFirstParty ? '  (first party)' : ''}`)
    return { lines: lines.length > 0 ? lines : ['There are no clients.'], status: 0 }
  }
  if (verb === 'delete' && args.length === 1) {
    const id = args[0] ?? ''
    return (await deleteRecorded(app, id))
      ? { lines: [`${id} is deleted.`], status: 0 }
      : { lines: ['There is no such client.'], status: 1 }
  }
  return { lines: [usage], status: 2 }
}

async function createFrom(app: App, args: string[]): Promise<Outcome> {
  const options = readOptions(args, 'create')
  if (typeof options === 'string') return { lines: [options, usage], status: 2 }
  const origin = originWithoutRequest(app, 'npm run client')
  const { row, secret } = await transaction(app, async (tx) => {
    const created = await createClient(tx, { ...options, now: origin.now })
    const data = { clientId: created.row.id, name: created.row.name }
    await record(tx, origin, { type: 'client.created', data })
    return created
  })
  const shown = {
    client_id: row.id,
    ...(secret !== undefined && { client_secret: secret }),
    client_name: row.name,
    redirect_uris: row.redirectUris,
    grant_types: row.grantTypes,
  }
  return { lines: [JSON.stringify(shown)], status: 0 }
}

/** Changes the name, logo and URIs of a client, also of a first-party one. */
async function updateFrom(app: App, [id = '', ...args]: string[]): Promise<Outcome> {
  const options = readOptions(args, 'update')
  if (typeof options === 'string') return { lines: [options, usage], status: 2 }
  const { isFirstParty: _firstParty, isPublic: _public, grantTypes: _grants, ...changes } = options
  const origin = originWithoutRequest(app, 'npm run client')
  return transaction(app, async (tx): Promise<Outcome> => {
    const row = await tx.oAuthClient.findUnique({ where: { id } })
    if (!row) return { lines: ['There is no such client.'], status: 1 }
    const problem = grantProblem(grantsOf({ ...row, ...changes }))
    if (problem) return { lines: [grantProblems[problem], usage], status: 2 }
    await updateClient(tx, { ...changes, id, now: origin.now })
    await record(tx, origin, { type: 'client.updated', data: { clientId: id, name: changes.name } })
    return { lines: [`${id} is changed.`], status: 0 }
  })
}

/** Deletes a client, and records it. False if there is none. */
async function deleteRecorded(app: App, id: string): Promise<boolean> {
  return transaction(app, async (tx) => {
    const name = await deleteClient(tx, id)
    if (name === undefined) return false
    const data = { clientId: id, name }
    await record(tx, originWithoutRequest(app, 'npm run client'), { type: 'client.deleted', data })
    return true
  })
}

/** Options that describe a client, of `create` and `update`. */
const described = {
  name: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true },
  'post-logout-redirect-uri': { type: 'string', multiple: true },
  'backchannel-logout-uri': { type: 'string' },
  'logo-uri': { type: 'string' },
} as const

/** Options of `create` only: they cannot be changed. */
const permanent = {
  'first-party': { type: 'boolean' },
  public: { type: 'boolean' },
  grant: { type: 'string', multiple: true },
  // The result is always a JSON document. The option keeps scripts valid if that changes.
  json: { type: 'boolean' },
} as const

/** Reads the options of `create` or `update`. Returns the problems found, if any. */
function readOptions(args: string[], command: 'create' | 'update') {
  let values
  try {
    const options = { ...described, ...permanent }
    values = parseArgs({ args, options }).values
    const given = Object.keys(values).find((name) => command === 'update' && name in permanent)
    if (given !== undefined) return `--${given} cannot be changed.`
  } catch (error) {
    return error instanceof Error ? error.message : 'The options are invalid.'
  }
  const name = values.name?.trim() ?? ''
  if (name === '' || name.length > 100) return '--name must have 1 to 100 characters.'
  const given = values.grant ?? ['authorization_code', 'refresh_token']
  const grants = grantTypes.filter((type) => given.includes(type))
  const unknown = given.find((type) => !grants.some((known) => known === type))
  if (unknown !== undefined) return `--grant ${unknown} is unknown.`
  const redirectUris = values['redirect-uri'] ?? []
  const postLogoutRedirectUris = values['post-logout-redirect-uri'] ?? []
  const backchannelLogoutUri = values['backchannel-logout-uri'] ?? null
  const logo = values['logo-uri'] ?? null
  for (const uri of urisOf({ logo, redirectUris, postLogoutRedirectUris, backchannelLogoutUri })) {
    const problem = uriProblem(uri)
    if (problem !== undefined) return `${uri} ${problem}.`
  }
  const isPublic = values.public ?? false
  const problem = command === 'create' ? grantProblem({ grantTypes: grants, redirectUris, isPublic }) : undefined
  if (problem) return grantProblems[problem]
  return {
    name,
    logo,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri,
    isFirstParty: values['first-party'] ?? false,
    isPublic,
    grantTypes: grants,
  }
}

const grantProblems = {
  needs_another_grant: '--grant refresh_token requires another grant.',
  needs_redirect_uri: '--redirect-uri is required for authorization_code.',
  needs_secret: 'client_credentials requires a secret, so --public cannot be used.',
}
