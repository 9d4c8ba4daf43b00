/** Spelling from the specification, which spells the payment status `cancelled`. */
export const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled'] as const
