/**
 * The permission table of an organization's roles (section 6 of the specification). Used by guards on the server, buttons
 * in the client and role descriptions. Only `can` and `grantsAll` read it.
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

/** Whether a role, or comma-separated list of roles, allows the action. Unknown names grant nothing. */
export function can<R extends Resource>(role: string, resource: R, action: Action<R>): boolean {
  return grantsAll(role, { [resource]: [action] })
}

/** Whether a single role of the list grants every requested action. An empty request is never granted. */
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

/** The known roles in a stored list. */
export function rolesOf(role: string): Role[] {
  return splitRoles(role).filter(isRole)
}

/** Whether the list contains the role owner. */
export function isOwner(role: string): boolean {
  return rolesOf(role).includes('owner')
}

/** Splits roles at commas and trims them. Removes empty and duplicate names, keeps the order. */
export function splitRoles(given: string | readonly string[]): string[] {
  const names = [given].flat().flatMap((text) => text.split(','))
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

/** Whether the list has an empty item, as in `member,`. */
export function hasEmptyRole(given: string | readonly string[]): boolean {
  return [given].flat().some((text) => text.split(',').some((name) => name.trim() === ''))
}

export function isRole(name: string): name is Role {
  return roles.some((role) => role === name)
}
