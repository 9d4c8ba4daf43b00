/** Event groups for filters: the part of the type before the dot. */
export const eventGroups = ['user', 'organization', 'member', 'team', 'invitation', 'payment', 'permission'] as const
export type EventGroup = (typeof eventGroups)[number]
