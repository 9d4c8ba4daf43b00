/** The refusals of each call about an invitation, to callers without membership or permission. */
export const invitationRefusals = {
  create: {
    none: 'ORGANIZATION_NOT_FOUND',
    notMember: 'MEMBER_NOT_FOUND',
    denied: 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
  },
  cancel: { notMember: 'MEMBER_NOT_FOUND', denied: 'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION' },
} as const
