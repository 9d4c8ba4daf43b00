/**
 * The permission table of an organization's roles. Used by guards on the server, buttons in the client and role
 * descriptions, through the functions of this file only.
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

/** The permission table of the installation's roles: what administrators may do with all users. */
const userPermissions = {
  admin: {
    user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
    session: ['list', 'revoke', 'delete'],
  },
  user: {},
} as const

/** Whether the permission table of an organization has a resource with these actions. */
export function isInTable(resource: string, actions: readonly string[]): boolean {
  const known = Object.entries<readonly string[]>(permissions.owner).find(([name]) => name === resource)?.[1]
  return known !== undefined && actions.every((action) => known.includes(action))
}

type UserTable = (typeof userPermissions)['admin']
export type UserResource = keyof UserTable
export type UserAction<R extends UserResource> = UserTable[R][number]

/** Whether a role of the installation allows the action. */
export function mayAdminister<R extends UserResource>(role: string, resource: R, action: UserAction<R>): boolean {
  return userRoleGrants(role, { [resource]: [action] })
}

/** Whether a role of the installation grants every requested action. An empty request is never granted. */
export function userRoleGrants(role: string, request: Record<string, readonly string[]>): boolean {
  const names = splitRoles(role).filter((name) => name === 'admin' || name === 'user')
  return names.some((name) => isGranted(userPermissions[name], request))
}

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
  return rolesOf(role).some((name) => isGranted(permissions[name], request))
}

function isGranted(table: object, request: Record<string, readonly string[]>): boolean {
  const requested = Object.entries(request)
  if (requested.length === 0) return false
  const granted = new Map<string, readonly string[]>(Object.entries(table))
  return requested.every(
    ([resource, actions]) => actions.length > 0 && actions.every((action) => granted.get(resource)?.includes(action)),
  )
}

/** The known roles in a stored list. */
export function rolesOf(role: string): Role[] {
  return splitRoles(role).filter(isRole)
}

/** Whether a role may act on the billing of its organization: those that may change it. */
export const managesBilling = (role: string): boolean => can(role, 'organization', 'update')

/** Whether the list contains the role owner. */
export function isOwner(role: string): boolean {
  return rolesOf(role).includes('owner')
}

/**
 * Whether a member may change, move or remove another one, as far as ownership is concerned: only owners may with
 * owners.
 */
export function mayManageMember({ actor, target }: { actor: string; target: string }): boolean {
  return isOwner(actor) || !isOwner(target)
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
