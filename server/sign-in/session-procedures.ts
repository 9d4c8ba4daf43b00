import { z } from 'zod'
import { Page, Status, Success } from '../../shared/schema.ts'
import { CurrentSession, Device, GetSession, RevokeSession, Session } from '../../shared/session.ts'
import { browserAndSystemOf } from '../foundation/user-agent.ts'
import { publicProcedure, protectedProcedure } from '../procedure/guards.ts'
import { jsonText } from '../procedure/json-text.ts'
import { allowReplica } from '../procedure/replica.ts'
import { clearSessionCookies } from '../session/session-cookies.ts'
import { listSessions } from '../session/sessions.ts'
import { readSession } from './read-session.ts'
import { revokeOwnSession, revokeOwnSessions } from './revoke-sessions.ts'
import { signOut } from './sign-out.ts'

export const sessionProcedures = {
  /** Returns the current session and user, or null if not signed in; never an error. */
  get: publicProcedure
    .meta({
      rest: 'GET /get-session',
      summary: 'The current session and its user, or null',
      jsonOutput: CurrentSession.nullable(),
    })
    .input(GetSession)
    .query(async ({ ctx, input }) => jsonText<z.output<typeof CurrentSession> | null>(await readSession(ctx, input))),

  /** Lists the caller's active sessions, including the current one; returns handles, never secrets. */
  list: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /list-sessions',
      summary: 'List the caller’s sessions',
    })
    .input(Page)
    .output(z.array(Session))
    .use(allowReplica)
    .query(({ ctx, input }) => listSessions(ctx.db, { ...input, userId: ctx.user.id, now: ctx.now })),

  /** Lists the same sessions for the UI: device names, current session first, then the last renewed. */
  devices: protectedProcedure
    .meta({ openTo: ['access_token', 'impersonator'] })
    .output(z.array(Device))
    .query(async ({ ctx }) => {
      const sessions = await listSessions(ctx.db, { userId: ctx.user.id, now: ctx.now })
      return sessions
        .map((session) => ({
          ...session,
          isCurrent: session.id === ctx.session.id,
          ...browserAndSystemOf(session.userAgent),
        }))
        .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.getTime() - a.updatedAt.getTime())
    }),

  revoke: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /revoke-session', summary: 'End one of the caller’s sessions' })
    .input(RevokeSession)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await revokeOwnSession(ctx, input.token)
      return { status: true }
    }),

  revokeAll: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /revoke-sessions', summary: 'End all of the caller’s sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await revokeOwnSessions(ctx, null)
      clearSessionCookies(ctx)
      return { status: true }
    }),

  revokeOthers: protectedProcedure
    .meta({
      openTo: ['access_token'],
      rest: 'POST /revoke-other-sessions',
      summary: 'End all of the caller’s sessions but the current one',
    })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await revokeOwnSessions(ctx, ctx.session.id)
      return { status: true }
    }),

  /** Ends the session and clears the cookies; the response is the same without a session. */
  signOut: publicProcedure
    .meta({ rest: 'POST /sign-out', summary: 'Sign out' })
    .output(Success)
    .mutation(async ({ ctx }) => {
      await signOut(ctx)
      return { success: true }
    }),
}
