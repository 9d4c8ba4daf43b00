import { Badge, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'

/** Active sessions, the current one first. Revokes a single session or all others. */
export function Sessions() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const [devices] = trpc.session.devices.useSuspenseQuery()
  const end = trpc.session.revoke.useMutation()
  const endOthers = trpc.session.revokeOthers.useMutation()
  return (
    <Section title={t('sessions.title')} why={t('sessions.why')}>
      <Rows>
        {devices.map(({ token, browser, system, ipAddress, updatedAt, isCurrent }) => {
          const device =
            browser && system ? t('home.on', { browser, system }) : (browser ?? system ?? t('home.unknownDevice'))
          return (
            <Row
              key={token}
              name={
                <>
                  {device}
                  {isCurrent && (
                    <Badge variant="outline" color="var(--warn)" ml="xs">
                      {t('sessions.current')}
                    </Badge>
                  )}
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
      <Group gap="sm" mt="md">
        {devices.length > 1 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('sessions.revokeOthers')}
          </Button>
        )}
        <Text component="output" c="var(--good)">
          {end.isSuccess || endOthers.isSuccess ? t('sessions.revoked') : ''}
        </Text>
      </Group>
      <Refused error={end.error ?? endOthers.error} />
    </Section>
  )
}
