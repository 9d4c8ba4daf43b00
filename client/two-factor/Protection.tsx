import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Section, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { lowRecoveryCodes } from './low-recovery-codes.ts'

/** The account's level of protection, and the next step to improve it. */
export function Protection() {
  const { t } = useTranslation()
  const [{ isEnabled, recoveryCodes, hasPassword }] = trpc.twoFactor.status.useSuspenseQuery()
  const [passkeys] = trpc.passkey.list.useSuspenseQuery()
  const isProtected = isEnabled || (passkeys.length > 0 && !hasPassword)
  const level = isProtected ? 'strong' : passkeys.length > 0 ? 'medium' : 'basic'
  const levels = {
    strong: { tone: 'good', name: t('security.strong'), description: t('security.strongDescription') },
    medium: { tone: 'accent', name: t('security.medium'), description: t('security.mediumDescription') },
    basic: { tone: 'attention', name: t('security.basic'), description: t('security.basicDescription') },
  } as const
  const { tone, name, description } = levels[level]
  const next = isEnabled && recoveryCodes < lowRecoveryCodes ? t('security.lowRecoveryCodes') : description
  return (
    <Section isFlush>
      <SettingRow name={t('security.title')} description={next}>
        <Tag tone={tone}>{name}</Tag>
      </SettingRow>
    </Section>
  )
}
