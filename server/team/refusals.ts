import type { RefusalKey } from '../../shared/errors.ts'

const none = 'NO_ACTIVE_ORGANIZATION'

/** Non-members get the same error as members without the permission. */
function sameFor<Key extends RefusalKey>(denied: Key) {
  return { none, notMember: denied, denied } as const
}

/** The refusals of the team calls: without an organization, as a non-member, without the permission. */
export const teamRefusals = {
  list: { none, notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' },
  create: sameFor('YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION'),
  update: sameFor('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM'),
  remove: sameFor('YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION'),
  assign: { none, notMember: 'MEMBER_NOT_FOUND', denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER' },
} as const
