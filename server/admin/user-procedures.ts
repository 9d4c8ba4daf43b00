import { z } from 'zod'
import {
  AdministeredUser,
  BanUser,
  CreateUser,
  GetUser,
  UserReference,
  HasPermission,
  ImpersonateUser,
  Impersonation,
  ListUsers,
  ListUserSessions,
  maxUsers,
  RemoveTwoFactor,
  RemoveUser,
  RevokeUserSession,
  RevokeUserSessions,
  SessionsResponse,
  SetRole,
  SetUserPassword,
  TwoFactorRemoval,
  UnbanUser,
  UserResponse,
  UserDetails,
  UserPage,
  UserSession,
} from '../../shared/admin.ts'
import { userRoleGrants } from '../../shared/permissions.ts'
import { Status, Success, PermissionResponse } from '../../shared/schema.ts'
import { CurrentSession } from '../../shared/session.ts'
import { refuse } from '../foundation/refusal.ts'
import { browserAndSystemOf } from '../foundation/user-agent.ts'
import { protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { allowReplica } from '../procedure/replica.ts'
import { findImpersonator } from '../session/impersonations.ts'
import { listAllSessions } from '../session/sessions.ts'
import { banUser, unbanUser } from './ban-user.ts'
import { cancelFactorRemoval } from './cancel-factor-removal.ts'
import { createUserForAdministrator } from './create-user.ts'
import {
  administratorProcedure,
  permittedProcedure,
  freshPermittedProcedure,
  freshAdministratorProcedure,
} from './guard.ts'
import { impersonateUser, stopImpersonating } from './impersonate-user.ts'
import { removeUser } from './remove-user.ts'
import { revokeUserSession, revokeUserSessions } from './revoke-sessions.ts'
import { setUserPassword } from './set-password.ts'
import { setUserRole } from './set-role.ts'
import { startFactorRemoval } from './start-factor-removal.ts'
import { findUserDetails } from './user-details.ts'
import { findUser, listUsers } from './users.ts'

const mayListUsers = permittedProcedure('user', 'list', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS')
const mayBanUsers = permittedProcedure('user', 'ban', 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS')
const mayRevokeSessions = permittedProcedure('session', 'revoke', 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS')

/** Paths, bodies and responses of the admin plugin of better-auth 1.2.7. */
export const userProcedures = {
  listUsers: mayListUsers
    .meta({ rest: 'GET /admin/list-users', summary: 'List users: search, filter, order and pages' })
    .input(ListUsers)
    .output(UserPage)
    .use(allowReplica)
    .query(async ({ ctx, input }) => {
      const { limit, offset } = input
      const page = await listUsers(ctx.pool, input, ctx)
      return { ...page, ...(limit && { limit: Math.min(limit, maxUsers) }), ...(offset && { offset }) }
    }),

  getUser: mayListUsers
    .meta({ rest: 'GET /admin/get-user', summary: 'One user' })
    .input(GetUser)
    .output(AdministeredUser)
    .query(
      async ({ ctx, input }) =>
        (await findUser(ctx.db, input.userId ?? input.id ?? '', ctx.now)) ?? refuse('ADMIN_USER_NOT_FOUND'),
    ),

  /** The sign-in methods, organizations and API keys of a user. */
  userDetails: mayListUsers
    .input(UserReference)
    .output(UserDetails)
    .query(({ ctx, input: { userId } }) => findUserDetails(ctx.db, userId)),

  createUser: freshPermittedProcedure('user', 'create', 'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS')
    .meta({ rest: 'POST /admin/create-user', summary: 'Create a user' })
    .input(CreateUser)
    .output(UserResponse)
    .mutation(async ({ ctx, input }) => ({ user: await createUserForAdministrator(ctx, input) })),

  setRole: freshPermittedProcedure('user', 'set-role', 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE')
    .meta({ rest: 'POST /admin/set-role', summary: 'Set the role of a user' })
    .input(SetRole)
    .output(UserResponse)
    .mutation(async ({ ctx, input }) => ({ user: await setUserRole(ctx, input) })),

  banUser: mayBanUsers
    .meta({ rest: 'POST /admin/ban-user', summary: 'Ban a user, forever or for some time' })
    .input(BanUser)
    .output(UserResponse)
    .mutation(async ({ ctx, input }) => ({ user: await banUser(ctx, input) })),

  unbanUser: freshPermittedProcedure('user', 'ban', 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS')
    .meta({ rest: 'POST /admin/unban-user', summary: 'Lift the ban of a user' })
    .input(UnbanUser)
    .output(UserResponse)
    .mutation(async ({ ctx, input: { userId } }) => ({ user: await unbanUser(ctx, userId) })),

  listUserSessions: permittedProcedure('session', 'list', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS')
    .meta({ rest: 'POST /admin/list-user-sessions', summary: 'List the sessions of a user' })
    .input(ListUserSessions)
    .output(SessionsResponse)
    // A POST in the plugin, although it changes nothing.
    .mutation(async ({ ctx, input: { userId } }) => ({ sessions: await listAllSessions(ctx.db, userId, ctx.now) })),

  /** Sessions of a user for the details page, with the names of devices, the last used first. */
  userSessions: permittedProcedure('session', 'list', 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS')
    .input(ListUserSessions)
    .output(z.array(UserSession))
    .query(async ({ ctx, input: { userId } }) => {
      const sessions = await listAllSessions(ctx.db, userId, ctx.now)
      return sessions
        .map((session) => ({ ...session, ...browserAndSystemOf(session.userAgent) }))
        .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    }),

  revokeUserSession: mayRevokeSessions
    .meta({ rest: 'POST /admin/revoke-user-session', summary: 'End one session of a user' })
    .input(RevokeUserSession)
    .output(Success)
    .mutation(async ({ ctx, input: { sessionToken } }) => {
      await revokeUserSession(ctx, sessionToken)
      return { success: true }
    }),

  revokeUserSessions: mayRevokeSessions
    .meta({ rest: 'POST /admin/revoke-user-sessions', summary: 'End all sessions of a user' })
    .input(RevokeUserSessions)
    .output(Success)
    .mutation(async ({ ctx, input: { userId } }) => {
      await revokeUserSessions(ctx, userId)
      return { success: true }
    }),

  impersonateUser: freshPermittedProcedure('user', 'impersonate', 'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS')
    .meta({ rest: 'POST /admin/impersonate-user', summary: 'Act as a user in this browser' })
    .input(ImpersonateUser)
    .output(CurrentSession)
    .mutation(({ ctx, input: { userId } }) => impersonateUser(ctx, userId)),

  /** Ends the impersonation in this browser, even if it has expired. Restores the administrator's own session. */
  stopImpersonating: publicProcedure
    .meta({
      rest: 'POST /admin/stop-impersonating',
      summary: 'Return to the administrator’s own session',
      startsSession: true,
    })
    .output(CurrentSession)
    .mutation(({ ctx }) => stopImpersonating(ctx)),

  /** The administrator who acts as the caller in this session, or null. */
  impersonation: protectedProcedure
    .meta({ openTo: ['impersonator'] })
    .output(Impersonation.nullable())
    .query(async ({ ctx }) => {
      if (ctx.session.impersonatedBy === undefined) return null
      return (await findImpersonator(ctx.db, ctx.session.id, ctx.now)) ?? null
    }),

  removeUser: freshPermittedProcedure('user', 'delete', 'YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS')
    .meta({ rest: 'POST /admin/remove-user', summary: 'Delete a user' })
    .input(RemoveUser)
    .output(Success)
    .mutation(async ({ ctx, input: { userId } }) => {
      await removeUser(ctx, userId)
      return { success: true }
    }),

  /**
   * Removes the lost second factors of a user after a day. Until then, the user can cancel the removal by signing in
   * with one of them.
   */
  startFactorRemoval: freshAdministratorProcedure
    .meta({ rest: 'POST /admin/remove-two-factor', summary: 'Remove the lost second factors of a user, after a day' })
    .input(RemoveTwoFactor)
    .output(TwoFactorRemoval)
    .mutation(async ({ ctx, input: { userId } }) => ({ removalAt: await startFactorRemoval(ctx, userId) })),

  cancelFactorRemoval: administratorProcedure
    .meta({ rest: 'POST /admin/cancel-two-factor-removal', summary: 'Cancel the removal of second factors' })
    .input(RemoveTwoFactor)
    .output(Success)
    .mutation(async ({ ctx, input: { userId } }) => {
      await cancelFactorRemoval(ctx, userId)
      return { success: true }
    }),

  setUserPassword: freshPermittedProcedure('user', 'set-password', 'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD')
    .meta({ rest: 'POST /admin/set-user-password', summary: 'Set the password of a user' })
    .input(SetUserPassword)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await setUserPassword(ctx, input)
      return { status: true }
    }),

  hasPermission: protectedProcedure
    .meta({
      openTo: ['impersonator'],
      rest: 'POST /admin/has-permission',
      summary: 'Whether the caller’s role grants permissions of the installation',
    })
    .input(HasPermission)
    .output(PermissionResponse)
    .mutation(({ ctx, input: { permission, permissions = permission } }) => ({
      error: null,
      success: userRoleGrants(ctx.user.role, permissions ?? {}),
    })),
}
