import { Button } from '@mantine/core'
import { useState } from 'react'
import { grantScopes } from '../../shared/oauth.ts'
import { trpc, type Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { SettingsTitle } from '../ui/SettingsTitle.tsx'
import { toast } from '../ui/toast.tsx'

type App = Outputs['oauth']['connectedApps'][number]

/** The applications that the user has connected, each with a button to disconnect it. */
export function ConnectedApps() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [apps] = trpc.oauth.connectedApps.useSuspenseQuery()
  const [removing, setRemoving] = useState<App>()
  const remove = trpc.oauth.removeApp.useMutation({
    onSuccess: () => {
      toast(t('connectedApps.removed', { app: removing?.name ?? '' }))
      setRemoving(undefined)
    },
  })
  const allowed = ({ scopes, resources }: App) => [
    ...grantScopes.filter((scope) => scopes.includes(scope)).map((scope) => t(`scope.${scope}`)),
    ...resources.map((resource) => t('scope.resource', { resource })),
  ]
  return (
    <>
      <SettingsTitle section={t('settings.connectedApps')} page={t('common.mySettings')} />
      <Section
        title={t('settings.connectedApps')}
        description={t('connectedApps.description')}
        isFlush={apps.length > 0}
      >
        {apps.length === 0 ? (
          <Empty text={t('connectedApps.empty')} />
        ) : (
          <Rows>
            {apps.map((app) => (
              <Row
                key={app.clientId}
                picture={<Avatar id={app.clientId} name={app.name} image={app.logo} isSquare />}
                name={app.name}
                detail={[...allowed(app), t('connectedApps.used', { time: dateFormat.relative(app.lastUsedAt) })].join(
                  ' · ',
                )}
                action={
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={t('connectedApps.removeOf', { app: app.name })}
                    onClick={() => setRemoving(app)}
                  >
                    {t('connectedApps.remove')}
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
      </Section>
      {removing && (
        <Confirm
          title={t('connectedApps.removeTitle', { app: removing.name })}
          description={t('connectedApps.removeDescription')}
          action={t('connectedApps.remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ clientId: removing.clientId })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}
