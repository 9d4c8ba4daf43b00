import { refuse } from '../foundation/refusal.ts'
import type { Context } from './context.ts'

/** Refuses a change from the screen of a user after another one has signed in in the same browser. */
export function requireSameUser({ expectedUserId }: Pick<Context, 'expectedUserId'>, userId: string): void {
  if (expectedUserId !== undefined && expectedUserId !== userId) refuse('USER_CHANGED')
}
