/** Noteworthy states of users, for the filter of their list. */
export const userStates = ['administrators', 'banned', 'unverified'] as const
export type UserState = (typeof userStates)[number]
