import { Button } from '@mantine/core'
import { useTranslation } from '../language/translation.ts'
import { SettingsTitle } from '../account/SettingsTitle.tsx'
import { trpc } from '../api/trpc.ts'
import { Refused } from '../ui/Refused.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { useDeviceName } from './device-name.ts'

/** Active sessions, the current one first. Revokes a single session or all others. */
export function Sessions() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const deviceName = useDeviceName()
  const [devices] = trpc.session.devices.useSuspenseQuery()
  const onSuccess = () => toast(t('sessions.revoked'))
  const end = trpc.session.revoke.useMutation({ onSuccess })
  const endOthers = trpc.session.revokeOthers.useMutation({ onSuccess })
  return (
    <>
      <SettingsTitle section={t('sessions.title')} page={t('settings.title')} />
      <Section title={t('sessions.title')} why={t('sessions.why')} isFlush>
        <Rows>
          {devices.map(({ token, browser, system, ipAddress, updatedAt, isCurrent }) => {
            const device = deviceName({ browser, system }) ?? t('home.unknownDevice')
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
                      loading={end.isPending && end.variables.token === token}
                      onClick={() => end.mutate({ token })}
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
      <Refused error={end.error ?? endOthers.error} />
      {devices.length > 1 && (
        <Button variant="default" color="danger" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('sessions.revokeOthers')}
        </Button>
      )}
    </>
  )
}
