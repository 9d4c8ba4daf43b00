import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { isLoopback } from '../foundation/ip-address.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'

/** The request contexts of requests that the issuer handles. */
export const contexts = new WeakMap<IncomingMessage, Context>()

/** Lets the issuer find the context of a request, and through it the browser's session. */
export function rememberContext(request: IncomingMessage, ctx: Context): void {
  contexts.set(request, ctx)
}

/**
 * The signed-in user of a request, read from the database. Undefined if there is none, or during an impersonation,
 * because an application would keep the access it is granted.
 */
export async function callerOf(koa: { req: IncomingMessage }): Promise<Caller | undefined> {
  const caller = await contexts.get(koa.req)?.caller()
  return caller?.session.impersonatedBy === undefined ? caller : undefined
}

/**
 * Whether another program on the user's machine could have sent the request: the client has no secret, and its loopback
 * redirect URI does not identify it (RFC 8252, 8.6).
 */
export function isPublicLoopbackClient({ oidc: { client, params } }: KoaContextWithOIDC): boolean {
  const uri = String(params?.['redirect_uri'] ?? client?.redirectUris?.[0] ?? '')
  const isLocal = URL.canParse(uri) && isLoopback(new URL(uri).hostname)
  return client?.clientSecret === undefined && isLocal
}

export type IssuerClient = NonNullable<KoaContextWithOIDC['oidc']['client']>

export function isFirstParty(client: IssuerClient | undefined): boolean {
  return client?.['firstParty'] === true || client?.metadata()['first_party'] === true
}
