import { parseArgs } from 'node:util'
import { messageOf } from '../../shared/errors.ts'
import { grantTypes } from '../../shared/oauth.ts'
import type { App } from '../dependencies.ts'
import { originWithoutRequest } from '../event/record.ts'
import { Refusal } from '../foundation/refusal.ts'
import { addClient, editClient, type ClientEditor, removeClient } from './change-clients.ts'
import { type ClientChanges, grantProblem, listClients, uriProblem, urisOf } from './clients.ts'

const usage = `Usage: npm run client -- create --name NAME [--redirect-uri URI …] [--post-logout-redirect-uri URI …]
  [--backchannel-logout-uri URI] [--first-party] [--public] [--grant GRANT …]
  [--logo-uri URI] [--json]
npm run client -- update CLIENT_ID [--name NAME] [URIs as for create, each replacing all of its kind]
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
    return reportProblem(async () => {
      await removeClient(asClientEditor(app), id)
      return [`${id} is deleted.`]
    })
  }
  return { lines: [usage], status: 2 }
}

async function createFrom(app: App, args: string[]): Promise<Outcome> {
  const options = readOptions(args)
  if (typeof options === 'string') return { lines: [options, usage], status: 2 }
  const { row, secret } = await addClient(asClientEditor(app), options)
  const shown = {
    client_id: row.id,
    ...(secret !== undefined && { client_secret: secret }),
    client_name: row.name,
    redirect_uris: row.redirectUris,
    grant_types: row.grantTypes,
  }
  return { lines: [JSON.stringify(shown)], status: 0 }
}

/** Changes the name, logo and URIs of a client, also of a first-party one. Omitted options are unchanged. */
async function updateFrom(app: App, [id = '', ...args]: string[]): Promise<Outcome> {
  const values = parse(args)
  const described = typeof values === 'string' ? values : readDescription(values)
  const fixed = typeof values === 'string' ? undefined : permanent.find((name) => values[name] !== undefined)
  const problem = typeof described === 'string' ? described : fixed && `--${fixed} cannot be changed.`
  if (problem !== undefined || typeof described === 'string') return { lines: [problem ?? '', usage], status: 2 }
  return reportProblem(async () => {
    await editClient(asClientEditor(app), id, described)
    return [`${id} is changed.`]
  })
}

/** The operator, who may change all clients. */
function asClientEditor(app: App): ClientEditor {
  return { deps: app, origin: originWithoutRequest(app, 'npm run client'), actor: {}, mayChangeFirstParty: true }
}

/** The lines of a change, or the reason why it is refused. */
async function reportProblem(work: () => Promise<string[]>): Promise<Outcome> {
  try {
    return { lines: await work(), status: 0 }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.key === 'CLIENT_NOT_FOUND') return { lines: ['There is no such client.'], status: 1 }
    return { lines: [messageOf(error.key), usage], status: 2 }
  }
}

/** Options of `create` only: they cannot be changed. */
const permanent = ['first-party', 'public', 'grant', 'json'] as const

/** The options of `create` and `update`. Returns the problem found, if any. */
function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        name: { type: 'string' },
        'redirect-uri': { type: 'string', multiple: true },
        'post-logout-redirect-uri': { type: 'string', multiple: true },
        'backchannel-logout-uri': { type: 'string' },
        'logo-uri': { type: 'string' },
        'first-party': { type: 'boolean' },
        public: { type: 'boolean' },
        grant: { type: 'string', multiple: true },
        // The result is always a JSON document. The option keeps scripts valid if that changes.
        json: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : 'The options are invalid.'
  }
}

type Values = Exclude<ReturnType<typeof parse>, string>

/** The name, logo and URIs. Returns the problem found, if any. */
function readDescription(values: Values): ClientChanges | string {
  const name = values.name?.trim()
  if (name === '' || (name !== undefined && name.length > 100)) return '--name must have 1 to 100 characters.'
  const changes: ClientChanges = {
    ...(name !== undefined && { name }),
    ...(values['logo-uri'] !== undefined && { logo: values['logo-uri'] }),
    ...(values['redirect-uri'] && { redirectUris: values['redirect-uri'] }),
    ...(values['post-logout-redirect-uri'] && { postLogoutRedirectUris: values['post-logout-redirect-uri'] }),
    ...(values['backchannel-logout-uri'] !== undefined && { backchannelLogoutUri: values['backchannel-logout-uri'] }),
  }
  const wrong = urisOf(changes).find((uri) => uriProblem(uri) !== undefined)
  return wrong === undefined ? changes : `${wrong} ${uriProblem(wrong)}.`
}

/** Reads the options of `create`. Returns the problem found, if any. */
function readOptions(args: string[]) {
  const values = parse(args)
  if (typeof values === 'string') return values
  const described = readDescription(values)
  if (typeof described === 'string') return described
  const { name, logo = null, redirectUris = [], postLogoutRedirectUris = [], backchannelLogoutUri = null } = described
  if (name === undefined) return '--name must have 1 to 100 characters.'
  const requested = values.grant ?? ['authorization_code', 'refresh_token']
  const grants = grantTypes.filter((type) => requested.includes(type))
  const unknown = requested.find((type) => !grants.some((known) => known === type))
  if (unknown !== undefined) return `--grant ${unknown} is unknown.`
  const isPublic = values.public ?? false
  const problem = grantProblem({ grantTypes: grants, redirectUris, isPublic })
  if (problem) return grantProblems[problem]
  const isFirstParty = values['first-party'] ?? false
  return {
    name,
    logo,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri,
    isFirstParty,
    isPublic,
    grantTypes: grants,
  }
}

const grantProblems = {
  needs_another_grant: '--grant refresh_token requires another grant.',
  needs_redirect_uri: '--redirect-uri is required for authorization_code.',
  needs_secret: 'client_credentials requires a secret, so --public cannot be used.',
}
