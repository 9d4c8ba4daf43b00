import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './Roles.module.css'
import { roles, rolesOf, type Role } from '../../shared/permissions.ts'

/** Translates a stored role (or list of roles) to the user's language. */
export function useRoleName() {
  const { t } = useTranslation()
  return (role: string) =>
    rolesOf(role)
      .map((name) => t(`role.${name}`))
      .join(', ')
}

type RoleChoiceProps = { value: Role; onChange: (role: Role) => void; canAssignOwner: boolean }

/** Radio group of roles, each with a description. Only owners can assign the owner role. */
export function RoleChoice({ value, onChange, canAssignOwner }: RoleChoiceProps) {
  const { t } = useTranslation()
  const offered = roles.filter((role) => canAssignOwner || role !== 'owner').toReversed()
  return (
    <Radio.Group
      label={t('members.role')}
      value={value}
      onChange={(chosen) => onChange(offered.find((role) => role === chosen) ?? value)}
    >
      <Stack gap="xs">
        {offered.map((role) => (
          <Radio
            key={role}
            className={classes.option ?? ''}
            size="sm"
            value={role}
            label={t(`role.${role}`)}
            description={t(`roleHint.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
