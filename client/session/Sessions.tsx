import { Button } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Row, Rows, Section, SectionActions } from '../ui/Section.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { useDeviceName } from './device-name.ts'
import { SessionNote } from './SessionNote.tsx'

/** Number of sessions shown at first. */
const shownAtFirst = 10

/** Active sessions, the current one first. Revokes a single session or all others. */
export function Sessions() {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  const [devices] = trpc.session.devices.useSuspenseQuery()
  const [isExpanded, setExpanded] = useState(false)
  const shown = isExpanded ? devices : devices.slice(0, shownAtFirst)
  // The button disappears: the keyboard continues at the first session that it has shown.
  const showAll = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const rows = currentTarget.closest('section')?.getElementsByTagName('li')
    flushSync(() => setExpanded(true))
    rows?.item(shownAtFirst)?.querySelector('button')?.focus()
  }
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
      <Section title={t('sessions.title')} description={t('sessions.description')} isFlush>
        {/* An administrator who acts as the user has no session here. */}
        {devices.length === 0 && <Empty text={t('sessions.none')} />}
        <Rows>
          {shown.map(({ token, browser, system, ipAddress, updatedAt, isCurrent }) => {
            const device = deviceName({ browser, system }) ?? t('common.unknownDevice')
            return (
              <Row
                key={token}
                name={
                  <>
                    {device} {isCurrent && <Tag tone="accent">{t('sessions.current')}</Tag>}
                  </>
                }
                detail={<SessionNote updatedAt={updatedAt} ipAddress={ipAddress} />}
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
        {devices.length > 1 && (
          <SectionActions>
            {shown.length < devices.length && (
              <Button variant="default" size="sm" onClick={showAll}>
                {t('common.more')}
              </Button>
            )}
            <Button variant="default" color="danger" size="sm" onClick={() => setEnding('others')}>
              {t('sessions.revokeOthers')}
            </Button>
          </SectionActions>
        )}
      </Section>
      {ending !== undefined && (
        <Confirm
          title={
            ending === 'others' ? t('sessions.revokeOthersTitle') : t('sessions.revokeTitle', { device: ending.device })
          }
          description={t('sessions.revokeDescription')}
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
