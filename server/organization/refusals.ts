import { violatedUnique } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'

const missing = {
  none: 'ORGANIZATION_NOT_FOUND',
  notMember: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
} as const

/** The refusals of each call about an organization, to callers without membership or permission. */
export const organizationRefusals = {
  update: { ...missing, denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION' },
  delete: { ...missing, denied: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION' },
  activity: {
    none: 'NO_ACTIVE_ORGANIZATION',
    notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
    denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
  },
} as const

export function refuseTakenSlug(error: unknown): never {
  if (violatedUnique(error)?.includes('slug')) refuse('ORGANIZATION_ALREADY_EXISTS')
  throw error
}
