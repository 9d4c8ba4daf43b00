import type { RefusalKey } from '../../shared/errors.ts'
import type { Config } from '../config.ts'
import { refuse } from '../foundation/refusal.ts'
import { procedure } from './trpc.ts'

/** The settings that switch a capability on. */
type Switch = { [Name in keyof Config]: Config[Name] extends boolean ? Name : never }[keyof Config]

/** Requires that the operator has switched a capability on. */
export function enabledBy(setting: Switch, refusal: RefusalKey) {
  return procedure
    .meta({ disabledRefusal: refusal })
    .use(({ ctx, next }) => (ctx.config[setting] ? next() : refuse(refusal)))
}
