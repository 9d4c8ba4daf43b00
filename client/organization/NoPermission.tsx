import { useTranslation } from '../language/translation.ts'
import { Empty } from '../ui/Empty.tsx'
import { Section } from '../ui/Section.tsx'

/** Shown to members who may not manage the organization, if they open one of its screens by its URL. */
export function NoPermission() {
  const { t } = useTranslation()
  return (
    <Section>
      <Empty text={t('organization.managersOnly')} />
    </Section>
  )
}
