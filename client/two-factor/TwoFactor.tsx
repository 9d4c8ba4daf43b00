import { Button } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Section, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { ConfirmPassword } from './ConfirmPassword.tsx'
import { Enrollment } from './Enrollment.tsx'
import { lowRecoveryCodes } from './low-recovery-codes.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Two-step verification in the settings: the authenticator app, and recovery codes. */
export function TwoFactor() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [status] = trpc.twoFactor.status.useSuspenseQuery()
  const [open, setOpen] = useState<'enroll' | 'codes' | 'off'>()
  const close = () => setOpen(undefined)
  const { isEnabled, confirmedAt, recoveryCodes, hasPassword, removalAt } = status
  return (
    <Section title={t('twoFactor.title')} description={t('twoFactor.description')} isFlush>
      <SettingRow
        name={t('twoFactor.app')}
        description={
          isEnabled && confirmedAt !== null ? (
            <>
              <Tag tone="good">{t('twoFactor.on')}</Tag> {t('twoFactor.since', { day: dateFormat.day(confirmedAt) })}
            </>
          ) : (
            t('twoFactor.off')
          )
        }
      >
        <Button size="sm" variant="default" onClick={() => setOpen('enroll')}>
          {isEnabled ? t('twoFactor.replace') : t('twoFactor.setUp')}
        </Button>
        {isEnabled && (
          <Button size="sm" variant="default" color="danger" onClick={() => setOpen('off')}>
            {t('twoFactor.turnOff')}
          </Button>
        )}
      </SettingRow>
      {removalAt !== null && <Removal at={removalAt} />}
      {isEnabled && (
        <SettingRow
          name={t('twoFactor.recoveryCodes')}
          description={
            <>
              {recoveryCodes < lowRecoveryCodes && <Tag tone="attention">{t('twoFactor.few')}</Tag>}{' '}
              {t('twoFactor.left', { count: recoveryCodes })}
            </>
          }
        >
          <Button size="sm" variant="default" onClick={() => setOpen('codes')}>
            {t('twoFactor.newCodes')}
          </Button>
        </SettingRow>
      )}
      {open === 'enroll' && <Enrollment hasPassword={hasPassword} onClose={close} />}
      {open === 'codes' && <NewCodes hasPassword={hasPassword} onClose={close} />}
      {open === 'off' && <TurnOff hasPassword={hasPassword} onClose={close} />}
    </Section>
  )
}

/** An administrator removes the app after a day, unless the user states that it is not lost. */
function Removal({ at }: { at: string }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const cancel = trpc.twoFactor.cancelRemoval.useMutation({ onSuccess: () => toast(t('twoFactor.removalCanceled')) })
  return (
    <SettingRow
      name={t('twoFactor.removalTitle')}
      description={
        <>
          {t('twoFactor.removalNote', { moment: dateFormat.minute(at) })}
          <ErrorMessage error={cancel.error} />
        </>
      }
    >
      <Button size="sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('twoFactor.cancelRemoval')}
      </Button>
    </SettingRow>
  )
}

type DialogProps = { hasPassword: boolean; onClose: () => void }

function NewCodes({ hasPassword, onClose }: DialogProps) {
  const { t } = useTranslation()
  const make = trpc.twoFactor.generateBackupCodes.useMutation()
  if (make.data) return <RecoveryCodes codes={make.data.backupCodes} onClose={onClose} />
  return (
    <ConfirmPassword
      title={t('twoFactor.newCodes')}
      description={t('twoFactor.newCodesDescription')}
      action={t('twoFactor.newCodes')}
      call={make}
      hasPassword={hasPassword}
      onClose={onClose}
    />
  )
}

function TurnOff({ hasPassword, onClose }: DialogProps) {
  const { t } = useTranslation()
  const disable = trpc.twoFactor.disable.useMutation({
    onSuccess: () => {
      toast(t('twoFactor.turnedOff'))
      onClose()
    },
  })
  return (
    <ConfirmPassword
      title={t('twoFactor.turnOffTitle')}
      description={t('twoFactor.turnOffDescription')}
      action={t('twoFactor.turnOff')}
      isDangerous
      call={disable}
      hasPassword={hasPassword}
      onClose={onClose}
    />
  )
}
