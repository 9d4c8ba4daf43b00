import { Button } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/Empty.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { useDeviceName } from './device-name.ts'

/** Active sessions, the current one first. Revokes a single session or all others. */
export function Sessions() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const deviceName = useDeviceName()
  const [devices] = trpc.session.devices.useSuspenseQuery()
  // The session that is about to end, or all others.
  const [ending, setEnding] = useState<{ token: string; device: string } | 'others'>()
  const onSuccess = () => {
    toast(t('sessions.revoked'))
    setEnding(undefined)
  }
  const end = trpc.session.revoke.useMutation({ onSuccess })
  const endOthers = trpc.session.revokeOthers.useMutation({ onSuccess })
  return (
    <>
      <SettingsTitle section={t('sessions.title')} page={t('common.mySettings')} />
      <Section title={t('sessions.title')} why={t('sessions.why')} isFlush>
        {/* An administrator who acts as the user has no session here. */}
        {devices.length === 0 && <Empty text={t('sessions.none')} />}
        <Rows>
          {devices.map(({ token, browser, system, ipAddress, updatedAt, isCurrent }) => {
            const device = deviceName({ browser, system }) ?? t('common.unknownDevice')
            return (
              <Row
                key={token}
                name={
                  <>
                    {device} {isCurrent && <Tag tone="accent">{t('sessions.current')}</Tag>}
                  </>
                }
                note={[t('sessions.lastRenewed', { time: moment.time(updatedAt) }), ipAddress]
                  .filter(Boolean)
                  .join(' · ')}
                action={
                  !isCurrent && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('sessions.revokeOf', { device })}
                      onClick={() => setEnding({ token, device })}
                    >
                      {t('sessions.revoke')}
                    </Button>
                  )
                }
              />
            )
          })}
        </Rows>
      </Section>
      {devices.length > 1 && (
        <Button variant="default" color="danger" onClick={() => setEnding('others')}>
          {t('sessions.revokeOthers')}
        </Button>
      )}
      {ending !== undefined && (
        <Confirm
          title={
            ending === 'others' ? t('sessions.revokeOthersTitle') : t('sessions.revokeTitle', { device: ending.device })
          }
          lead={t('sessions.revokeLead')}
          action={t(ending === 'others' ? 'sessions.revokeOthers' : 'sessions.revoke')}
          isPending={end.isPending || endOthers.isPending}
          error={ending === 'others' ? endOthers.error : end.error}
          onConfirm={() => (ending === 'others' ? endOthers.mutate() : end.mutate({ token: ending.token }))}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  )
}
