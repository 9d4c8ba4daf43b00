/**
 * SQL for whether a member's or invitation's role, a comma-separated list, contains this one. For the row with this
 * alias.
 */
export const hasRoleSql = (row: string, role: 'owner' | 'admin') => `'${role}' = any(string_to_array(${row}.role, ','))`
