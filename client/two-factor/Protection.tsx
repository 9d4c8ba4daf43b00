import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Section, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { fewCodes } from './low-recovery-codes.ts'

/** The account's level of protection, and the next step to improve it. */
export function Protection() {
  const { t } = useTranslation()
  const [{ isEnabled, recoveryCodes, hasPassword }] = trpc.twoFactor.status.useSuspenseQuery()
  const [passkeys] = trpc.passkey.list.useSuspenseQuery()
  const isProtected = isEnabled || (passkeys.length > 0 && !hasPassword)
  const level = isProtected ? 'strong' : passkeys.length > 0 ? 'medium' : 'basic'
  const words = {
    strong: { tone: 'good', name: t('security.strong'), why: t('security.strongWhy') },
    medium: { tone: 'accent', name: t('security.medium'), why: t('security.mediumWhy') },
    basic: { tone: 'attention', name: t('security.basic'), why: t('security.basicWhy') },
  } as const
  const { tone, name, why } = words[level]
  const next = isEnabled && recoveryCodes < fewCodes ? t('security.fewCodes') : why
  return (
    <Section isFlush>
      <SettingRow name={t('security.title')} hint={next}>
        <Tag tone={tone}>{name}</Tag>
      </SettingRow>
    </Section>
  )
}
