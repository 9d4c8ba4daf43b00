/** Spelling of the REST contract. The payment provider spells its status `cancelled`. */
export const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled'] as const

/** Statuses as listed on screens: a pending invitation whose time has passed is expired. */
export const listedStatuses = ['pending', 'expired', 'accepted', 'rejected', 'canceled'] as const
export type ListedStatus = (typeof listedStatuses)[number]
