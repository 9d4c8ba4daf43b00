import { z } from 'zod'
import { passwordProblem } from '../../shared/account.ts'
import { trpc } from '../app/trpc.ts'

/** The rule for a new password as this Foyer's settings have it: the server's own function, under the field. */
export function usePasswordRule() {
  const [{ passwordLength }] = trpc.session.options.useSuspenseQuery()
  const schema = z.string().superRefine((password, ctx) => {
    const problem = passwordProblem(password, passwordLength)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  })
  return { schema, min: passwordLength.min }
}
