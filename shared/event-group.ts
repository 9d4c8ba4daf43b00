/** Event groups for filters: the part of the type before the dot. */
export const eventGroups = [
  'user',
  'organization',
  'member',
  'team',
  'invitation',
  'payment',
  'permission',
  // Only administrators see these.
  'client',
  'endpoint',
  'mail',
  'job',
  'webhook',
] as const
export type EventGroup = (typeof eventGroups)[number]

/** The groups of events in a user's own activity. */
export const userGroups = ['user', 'organization', 'member', 'team', 'invitation', 'payment', 'permission'] as const
