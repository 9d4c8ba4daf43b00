import type { z } from 'zod'
import type { OAuthClient } from '../../prisma/client/client.ts'
import type { Client } from '../../shared/oauth.ts'

/** An OAuth client as administrators see it: `isPublic` instead of the hash of its secret. */
export function toClient({ secretHash, ...client }: OAuthClient): z.output<typeof Client> {
  return { ...client, isPublic: secretHash === null }
}
