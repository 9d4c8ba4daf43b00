import type { OAuthClient } from '../../prisma/client/client.ts'
import type { App } from '../dependencies.ts'
import type { NewEvent, EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import {
  type ClientChanges,
  createClient,
  deleteClient,
  grantProblem,
  grantsOf,
  type NewClient,
  replaceSecret,
  updateClient,
  uriProblem,
  urisOf,
} from './clients.ts'

/** Who manages the clients: an administrator, whose role is locked first, or the command. */
export type ClientEditor = {
  deps: Pick<App, 'db'>
  origin: EventOrigin
  actor: Pick<NewEvent, 'actorId' | 'subjectId'>
  lock?: (tx: Tx) => Promise<void>
  /** Codes of first-party clients identify users who were not asked, so only the command may change them. */
  mayChangeFirstParty: boolean
}

/** Runs a change in one transaction, after the editor's lock. */
function change<Result>({ deps, lock }: ClientEditor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return transaction(deps, async (tx) => {
    await lock?.(tx)
    return work(tx)
  })
}

/** Adds a client. Its secret is returned only here. */
export async function addClient(
  editor: ClientEditor,
  client: Omit<NewClient, 'now'>,
): Promise<{ row: OAuthClient; secret: string | undefined }> {
  if (urisOf(client).some((uri) => uriProblem(uri) !== undefined)) refuse('CLIENT_URI_IS_INVALID')
  if (grantProblem(client)) refuse('CLIENT_GRANTS_ARE_INVALID')
  const { origin, actor } = editor
  return change(editor, async (tx) => {
    const { row, secret } = await createClient(tx, { ...client, now: origin.now })
    await record(tx, origin, { type: 'client.created', ...actor, data: { clientId: row.id, name: row.name } })
    return { row, secret }
  })
}

/** Changes the name, logo and URIs of a client. Those that are missing stay as they are. */
export async function editClient(editor: ClientEditor, clientId: string, changes: ClientChanges): Promise<OAuthClient> {
  if (urisOf(changes).some((uri) => uriProblem(uri) !== undefined)) refuse('CLIENT_URI_IS_INVALID')
  const { origin, actor, mayChangeFirstParty } = editor
  return change(editor, async (tx) => {
    const { row, fields } =
      (await updateClient(tx, clientId, { changes, now: origin.now })) ?? refuse('CLIENT_NOT_FOUND')
    if (row.isFirstParty && !mayChangeFirstParty) refuse('CLIENT_NOT_FOUND')
    if (grantProblem(grantsOf(row))) refuse('CLIENT_GRANTS_ARE_INVALID')
    const data = { clientId, name: row.name, fields, redirectUris: row.redirectUris }
    if (fields.length > 0) await record(tx, origin, { type: 'client.updated', ...actor, data })
    return row
  })
}

/** Removes a client. The grants of its users are deleted with it. */
export async function removeClient(editor: ClientEditor, clientId: string): Promise<void> {
  const { origin, actor } = editor
  await change(editor, async (tx) => {
    const name = (await deleteClient(tx, clientId)) ?? refuse('CLIENT_NOT_FOUND')
    await record(tx, origin, { type: 'client.deleted', ...actor, data: { clientId, name } })
  })
}

/** Gives a client a new secret. The former one is refused immediately. */
export async function replaceClientSecret(editor: ClientEditor, clientId: string): Promise<string> {
  const { origin, actor } = editor
  return change(editor, async (tx) => {
    const { name, secret } = (await replaceSecret(tx, clientId, origin.now)) ?? refuse('CLIENT_NOT_FOUND')
    await record(tx, origin, { type: 'client.secret_replaced', ...actor, data: { clientId, name } })
    return secret
  })
}
