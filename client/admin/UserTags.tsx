import { useTranslation } from '../language/translation.ts'
import { Tag } from '../ui/Tag.tsx'

type UserTagsProps = { user: { role: string; banned: boolean; emailVerified: boolean } }

/** Tags for the noteworthy states of a user. */
export function UserTags({ user }: UserTagsProps) {
  const { t } = useTranslation()
  return (
    <>
      {user.role === 'admin' && <Tag tone="accent">{t('role.admin')}</Tag>}
      {user.banned && <Tag tone="bad">{t('users.suspended')}</Tag>}
      {!user.emailVerified && <Tag tone="attention">{t('common.unverified')}</Tag>}
    </>
  )
}

/** Whether a user can sign in. */
export function UserStatus({ user }: { user: { banned: boolean; emailVerified: boolean } }) {
  const { t } = useTranslation()
  if (user.banned) return <Tag tone="bad">{t('users.suspended')}</Tag>
  if (!user.emailVerified) return <Tag tone="attention">{t('common.unverified')}</Tag>
  return <Tag tone="good">{t('users.active')}</Tag>
}
