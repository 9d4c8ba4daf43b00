import type { RefusalKey } from '../../shared/errors.ts'

/** Refusals of each call beyond those that every call has. A test compares it with what all tests provoke. */
export const refusalsByCall: Record<string, readonly RefusalKey[]> = {}
