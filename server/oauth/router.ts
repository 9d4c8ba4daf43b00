import { IssuedToken, IssueToken } from '../../shared/token.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { issueToken } from './issue-token.ts'

export const tokenRouter = router({
  /** Returns a token about the caller and the active organization, valid for TOKEN_LIFETIME seconds. */
  issue: protectedProcedure
    .meta({ rest: 'GET /token' })
    .input(IssueToken)
    .output(IssuedToken)
    .query(({ ctx, input }) => issueToken(ctx, input)),
})
