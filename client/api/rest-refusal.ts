import { TRPCClientError } from '@trpc/client'
import { z } from 'zod'

const Refused = z.object({ code: z.string(), message: z.string() })

/** The refusal of a request over REST, as the errors of tRPC calls: screens show both in the same way. */
export async function restRefusal(response: Response): Promise<Error> {
  const { data } = Refused.safeParse(await response.json().catch(() => undefined))
  const { code: reason, message } = data ?? { code: 'UNEXPECTED_ERROR', message: `HTTP status ${response.status}` }
  const error = { code: -32_603, message, data: { reason, httpStatus: response.status } }
  return TRPCClientError.from({ error }, { meta: { response } })
}
