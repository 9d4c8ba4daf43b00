/**
 * Who may do what in an organization: the table of the specification (section 6) as data. Guards on the server, buttons in
 * the client and the explanations of roles read it; `can` and `grantsAll` are its only readers.
 */
export const permissions = {
  owner: {
    organization: ['update', 'delete'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
  },
  admin: {
    organization: ['update'],
    member: ['create', 'update', 'delete'],
    invitation: ['create', 'cancel'],
    team: ['create', 'update', 'delete'],
  },
  member: {},
} as const

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

type Table = (typeof permissions)['owner']
export type Resource = keyof Table
export type Action<R extends Resource> = Table[R][number]

/** May somebody of this role, which may be a comma-separated list, do this? Unknown names grant nothing. */
export function can<R extends Resource>(role: string, resource: R, action: Action<R>): boolean {
  return grantsAll(role, { [resource]: [action] })
}

/** Does a single role of the list grant every action that is asked for? Nothing asked for is nothing granted. */
export function grantsAll(role: string, request: Record<string, readonly string[]>): boolean {
  const requested = Object.entries(request).flatMap(([resource, actions]) =>
    actions.map((action) => [resource, action]),
  )
  if (requested.length === 0 || Object.values(request).some((actions) => actions.length === 0)) return false
  return rolesOf(role).some((name) => {
    const granted = new Map<string, readonly string[]>(Object.entries(permissions[name]))
    return requested.every(([resource = '', action = '']) => granted.get(resource)?.includes(action))
  })
}

/** The known roles of a stored list. */
export function rolesOf(role: string): Role[] {
  return splitRoles(role).filter(isRole)
}

/** Being an owner always means: the list contains owner. */
export function isOwner(role: string): boolean {
  return rolesOf(role).includes('owner')
}

/** A role text or list as it was given: split at commas, trimmed, without empties and repetitions, in its order. */
export function splitRoles(given: string | readonly string[]): string[] {
  const names = [given].flat().flatMap((text) => text.split(','))
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

/** Has the list an empty part, as `member,` has? */
export function hasEmptyRole(given: string | readonly string[]): boolean {
  return [given].flat().some((text) => text.split(',').some((name) => name.trim() === ''))
}

export function isRole(name: string): name is Role {
  return roles.some((role) => role === name)
}
