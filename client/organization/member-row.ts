import type { Outputs } from '../api/trpc.ts'

/** A row of the member list. */
export type MemberRow = Outputs['organization']['members']['members'][number]
