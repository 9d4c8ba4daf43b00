import { violatedUnique } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'

export const deleteRefusals = {
  none: 'ORGANIZATION_NOT_FOUND',
  notMember: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION',
} as const

export const updateRefusals = {
  none: 'ORGANIZATION_NOT_FOUND',
  notMember: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION',
} as const

export function refuseTakenSlug(error: unknown): never {
  if (violatedUnique(error)?.includes('slug')) refuse('ORGANIZATION_ALREADY_EXISTS')
  throw error
}
