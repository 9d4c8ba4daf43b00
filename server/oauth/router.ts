import { z } from 'zod'
import {
  ClientReference,
  ConnectedApp,
  ConsentRequest,
  Continued,
  DecideConsent,
  DecideDevice,
  InteractionId,
  UserCode,
} from '../../shared/oauth.ts'
import { Status } from '../../shared/schema.ts'
import { IssuedToken, IssueToken } from '../../shared/token.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { strictLimitForCodes } from '../procedure/rate-limit.ts'
import { router } from '../procedure/trpc.ts'
import { listConnectedApps } from './consents.ts'
import { decideConsent, readConsent } from './decide-consent.ts'
import { decideDevice, readDevice } from './decide-device.ts'
import { issueToken } from './issue-token.ts'
import { removeApp } from './remove-app.ts'

export const tokenRouter = router({
  issue: protectedProcedure
    .meta({
      openTo: ['impersonator'],
      rest: 'GET /token',
      summary: 'A token for a back end: the caller and the active organization',
    })
    .input(IssueToken)
    .output(IssuedToken)
    .query(({ ctx, input }) => issueToken(ctx, input)),
})

export const oauthRouter = router({
  /** The permissions that an application asks the caller for. */
  consent: protectedProcedure
    .input(InteractionId)
    .output(ConsentRequest)
    .query(({ ctx, input }) => readConsent(ctx, input)),

  decideConsent: protectedProcedure
    .input(DecideConsent)
    .output(Continued)
    .mutation(({ ctx, input }) => decideConsent(ctx, input)),

  /** The program that shows this code. A mutation, so that the code does not appear in a URL. */
  device: protectedProcedure
    .meta({ limit: strictLimitForCodes })
    .input(UserCode)
    .output(ConsentRequest)
    .mutation(({ ctx, input }) => readDevice(ctx, input)),

  decideDevice: protectedProcedure
    .meta({ limit: strictLimitForCodes })
    .input(DecideDevice)
    .output(Status)
    .mutation(({ ctx, input }) => decideDevice(ctx, input)),

  /** The applications that the caller has connected. */
  connectedApps: protectedProcedure
    .output(z.array(ConnectedApp))
    .query(({ ctx }) => listConnectedApps(ctx.db, ctx.user.id)),

  removeApp: protectedProcedure
    .input(ClientReference)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await removeApp(ctx, input.clientId)
      return { status: true }
    }),
})
