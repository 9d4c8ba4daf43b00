import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { Emblem } from './Emblem.tsx'
import { useRoleName } from './Roles.tsx'

/** My organizations on the start page. */
export function MyOrganizations() {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const [mine] = trpc.organization.mine.useSuspenseQuery()
  return (
    <Section title={t('overview.title')}>
      {mine.length === 0 && (
        <Text c="dimmed" mb="md">
          {t('overview.empty')}
        </Text>
      )}
      <Rows>
        {mine.map(({ id, slug, name, logo, role }) => (
          <Row
            key={id}
            picture={<Emblem name={name} logo={logo} size={36} />}
            name={
              <Group gap={8}>
                {name}
                <Badge variant="outline" color="var(--quiet)">
                  {roleName(role)}
                </Badge>
              </Group>
            }
            note={`/o/${slug}`}
            action={
              <ButtonLink
                to="/o/$slug"
                params={{ slug }}
                variant="default"
                size="sm"
                aria-label={`${t('overview.open')}: ${name}`}
              >
                {t('overview.open')}
              </ButtonLink>
            }
          />
        ))}
      </Rows>
      <ButtonLink to="/organizations/new" variant={mine.length === 0 ? 'filled' : 'default'} mt="md">
        {t('switcher.create')}
      </ButtonLink>
    </Section>
  )
}
