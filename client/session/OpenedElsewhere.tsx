import { Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { AnchorLink } from '../ui/links.tsx'

/** A sign-in link that was opened in another browser than the one that asked for it: shows the code to type there. */
export function OpenedElsewhere() {
  const { t } = useTranslation()
  const { token = '' } = useSearch({ from: '/magic-link' })
  const [found] = trpc.session.readMagicLink.useSuspenseQuery({ token })
  const below = (
    <AnchorLink to="/sign-in-code" search={{}}>
      {t('mailCode.newLink')}
    </AnchorLink>
  )
  if (!found) return <AuthLayout title={t('mailCode.endedTitle')} lead={t('mailCode.endedLead')} below={below} />
  return (
    <AuthLayout
      title={t('mailCode.elsewhereTitle')}
      lead={t('mailCode.elsewhereLead', { email: found.email })}
      below={below}
    >
      <Text component="p" fz={32} ta="center">
        <code>{found.code}</code>
      </Text>
      <Text c="dimmed" fz="sm">
        {t('mailCode.warning')}
      </Text>
    </AuthLayout>
  )
}
