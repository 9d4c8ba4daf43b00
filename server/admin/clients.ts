import type { z } from 'zod'
import type { OAuthClient } from '../../prisma/client/client.ts'
import type { Client } from '../../shared/oauth.ts'

/** A client as administrators see it: with whether it has a secret, and without the hash. */
export function shownClient({ secretHash, ...client }: OAuthClient): z.output<typeof Client> {
  return { ...client, isPublic: secretHash === null }
}
