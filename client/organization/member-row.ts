import type { Outputs } from '../app/trpc.ts'

/** A member as the page of members lists it. */
export type MemberRow = Outputs['organization']['members']['members'][number]
