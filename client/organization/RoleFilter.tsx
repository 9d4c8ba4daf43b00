import { roles } from '../../shared/permissions.ts'
import { useTranslation } from '../language/translation.ts'
import { TableFilter } from '../ui/TableControls.tsx'
import { useRoleName } from './Roles.tsx'

/** Filters a table of members by role; an empty value shows all. */
export function RoleFilter({ value, onFilter }: { value: string; onFilter: (role: string) => void }) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  return (
    <TableFilter
      label={t('common.role')}
      value={value}
      onFilter={onFilter}
      choices={[
        { value: '', label: t('members.anyRole') },
        ...roles.map((name) => ({ value: name, label: roleName(name) })),
      ]}
    />
  )
}
