import { z } from 'zod'
import { passwordProblem } from '../../shared/identity.ts'
import { trpc } from '../api/trpc.ts'

/** The password rule of this installation's settings, using the same function as the server. */
export function usePasswordRule() {
  const [{ passwordLength }] = trpc.session.options.useSuspenseQuery()
  const schema = z.string().superRefine((password, ctx) => {
    const problem = passwordProblem(password, passwordLength)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  })
  return { schema, min: passwordLength.min }
}
