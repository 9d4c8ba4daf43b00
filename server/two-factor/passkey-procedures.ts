import { z } from 'zod'
import {
  CreationOptions,
  RequestOptions,
  GenerateRegisterOptions,
  Passkey,
  PasskeyReference,
  PasskeyUpdated,
  SignedInByPasskey,
  UpdatePasskey,
  VerifyAuthentication,
  VerifyRegistration,
} from '../../shared/passkey.ts'
import { listPasskeys, toPasskey } from '../factor/passkeys.ts'
import { freshProcedure, protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit } from '../procedure/rate-limit.ts'
import { router } from '../procedure/trpc.ts'
import { addPasskey, startRegistration } from './add-passkey.ts'
import { removePasskey, renamePasskey } from './remove-passkey.ts'
import { signInByPasskey, startAuthentication } from './sign-in-by-passkey.ts'

/** Challenges per network and minute: a page that offers passkeys requests one each time it is shown. */
const challengeLimit = { max: 60, seconds: 60 }

/** Passkeys, with the paths, bodies and responses of the passkey plugin of better-auth 1.2.7. */
export const passkeyRouter = router({
  list: protectedProcedure
    .meta({ rest: 'GET /passkey/list-user-passkeys', summary: 'List the caller’s passkeys' })
    .output(z.array(Passkey))
    .query(async ({ ctx: { db, user } }) => (await listPasskeys(db, user.id)).map(toPasskey)),

  /** A GET in the plugin, although it stores a challenge for this browser. */
  registerOptions: freshProcedure
    .meta({
      rest: 'GET /passkey/generate-register-options',
      summary: 'Options to create a passkey',
      limit: challengeLimit,
    })
    .input(GenerateRegisterOptions)
    .output(CreationOptions)
    .query(({ ctx, input }) => startRegistration(ctx, input)),

  register: freshProcedure
    .meta({ rest: 'POST /passkey/verify-registration', summary: 'Add a passkey', limit: strictLimit })
    .input(VerifyRegistration)
    .output(Passkey)
    .mutation(async ({ ctx, input }) => toPasskey(await addPasskey(ctx, input))),

  authenticateOptions: publicProcedure
    .meta({
      rest: 'POST /passkey/generate-authenticate-options',
      summary: 'Options to sign in with a passkey',
      limit: challengeLimit,
    })
    .output(RequestOptions)
    .mutation(({ ctx }) => startAuthentication(ctx)),

  authenticate: publicProcedure
    .meta({
      rest: 'POST /passkey/verify-authentication',
      summary: 'Sign in with a passkey, or confirm the caller’s identity',
      limit: strictLimit,
      startsSession: true,
    })
    .input(VerifyAuthentication)
    .output(SignedInByPasskey)
    .mutation(({ ctx, input }) => signInByPasskey(ctx, input)),

  delete: freshProcedure
    .meta({ rest: 'POST /passkey/delete-passkey', summary: 'Delete a passkey' })
    .input(PasskeyReference)
    .output(z.null())
    .mutation(async ({ ctx, input: { id } }) => {
      await removePasskey(ctx, id)
      return null
    }),

  update: protectedProcedure
    .meta({ rest: 'POST /passkey/update-passkey', summary: 'Rename a passkey' })
    .input(UpdatePasskey)
    .output(PasskeyUpdated)
    .mutation(async ({ ctx, input }) => ({ passkey: toPasskey(await renamePasskey(ctx, input)) })),
})
