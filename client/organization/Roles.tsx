import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { permissions, roles, rolesOf, type Role } from '../../shared/permissions.ts'

/** Translates a stored role (or list of roles) to the user's language. */
export function useRoleName() {
  const { t } = useTranslation()
  return (role: string) =>
    rolesOf(role)
      .map((name) => t(`role.${name}`))
      .join(', ')
}

/** Describes what a role may do, derived from the permission table. */
export function useRoleDescription() {
  const { t } = useTranslation()
  return (role: Role): string => {
    const granted: Record<string, readonly string[]> = permissions[role]
    const what = Object.entries(permissions.owner).flatMap(([resource, actions]) =>
      actions
        .filter((action) => granted[resource]?.includes(action))
        .map((action) => permissionTexts[`${resource}_${action}`]),
    )
    const words = what.flatMap((key) => (key ? [t(`grants.${key}`)] : []))
    return [t('grants.sees'), ...(words.length > 0 ? [t('grants.may', { what: words.join(', ') })] : [])].join(' ')
  }
}

/** Permissions that have a text in the catalogue. */
const permissionTexts: Record<string, PermissionText | undefined> = {
  organization_update: 'organization_update',
  organization_delete: 'organization_delete',
  member_create: 'member_create',
  member_update: 'member_update',
  member_delete: 'member_delete',
  invitation_create: 'invitation_create',
  invitation_cancel: 'invitation_cancel',
  team_create: 'team_create',
  team_update: 'team_update',
  team_delete: 'team_delete',
}
type PermissionText =
  | 'organization_update'
  | 'organization_delete'
  | `member_${'create' | 'update' | 'delete'}`
  | `invitation_${'create' | 'cancel'}`
  | `team_${'create' | 'update' | 'delete'}`

type RoleChoiceProps = { value: Role; onChange: (role: Role) => void; canAssignOwner: boolean }

/** Radio group of roles, each with a description. Only owners can assign the owner role. */
export function RoleChoice({ value, onChange, canAssignOwner }: RoleChoiceProps) {
  const { t } = useTranslation()
  const grants = useRoleDescription()
  const offered = roles.filter((role) => canAssignOwner || role !== 'owner').toReversed()
  return (
    <Radio.Group
      label={t('members.role')}
      value={value}
      onChange={(chosen) => onChange(offered.find((role) => role === chosen) ?? value)}
    >
      <Stack gap="sm">
        {offered.map((role) => (
          <Radio key={role} value={role} label={t(`role.${role}`)} description={grants(role)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
