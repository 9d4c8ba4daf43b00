import { roles, rolesOf, type Role } from '../../shared/permissions.ts'
import { useTranslation } from '../language/translation.ts'
import { RadioCards } from '../ui/RadioCards.tsx'
import { Tag } from '../ui/Tag.tsx'

/** Translates a stored role (or list of roles) to the user's language. */
export function useRoleName() {
  const { t } = useTranslation()
  return (role: string) =>
    rolesOf(role)
      .map((name) => t(`role.${name}`))
      .join(', ')
}

/** The role of a member, or of an invitation. */
export function RoleTag({ role }: { role: string }) {
  const roleName = useRoleName()
  return <Tag tone={rolesOf(role).some((name) => name !== 'member') ? 'accent' : 'neutral'}>{roleName(role)}</Tag>
}

type RoleChoiceProps = { value: Role; onChange: (role: Role) => void; canAssignOwner: boolean }

/** Radio group of roles, each with a description. Only owners can assign the owner role. */
export function RoleChoice({ value, onChange, canAssignOwner }: RoleChoiceProps) {
  const { t } = useTranslation()
  const offered = roles.filter((role) => canAssignOwner || role !== 'owner').toReversed()
  return (
    <RadioCards
      label={t('common.role')}
      value={value}
      onChange={onChange}
      cards={offered.map((role) => ({ value: role, label: t(`role.${role}`), description: t(`roleHint.${role}`) }))}
    />
  )
}
