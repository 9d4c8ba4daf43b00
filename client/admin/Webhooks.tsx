import { Button } from '@mantine/core'
import { useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { CardsLoading } from '../ui/PageStates.tsx'
import { SecretDialog } from '../ui/SecretDialog.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointTags } from './EndpointTags.tsx'

/** The endpoints that events are sent to. */
export function Webhooks() {
  const { t } = useTranslation()
  const { data: endpoints, error, refetch } = trpc.webhook.endpoints.useQuery()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('webhooks.title')}
      description={t('webhooks.introduction')}
      isWide
      actions={<Button onClick={() => setCreating(true)}>{t('webhooks.create')}</Button>}
    >
      {!endpoints && (error ? <ErrorCard error={error} onTryAgain={() => void refetch()} /> : <CardsLoading />)}
      {endpoints && (
        <Section isFlush={endpoints.length > 0}>
          {endpoints.length === 0 && <Empty text={t('webhooks.empty')} />}
          <Rows>
            {endpoints.map((endpoint) => (
              <Row
                key={endpoint.id}
                name={
                  <>
                    <AnchorLink to="/admin/webhooks/$endpointId" params={{ endpointId: endpoint.id }}>
                      {endpoint.url}
                    </AnchorLink>{' '}
                    <EndpointTags endpoint={endpoint} />
                  </>
                }
                detail={[endpoint.description, endpoint.types.join(', ') || t('webhooks.allTypes')]
                  .filter(Boolean)
                  .join(' · ')}
              />
            ))}
          </Rows>
        </Section>
      )}
      {isCreating && <CreateEndpoint onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** Adds an endpoint, and shows its signing secret once. */
function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const create = trpc.webhook.createEndpoint.useMutation()
  if (create.data) return <EndpointSecret secret={create.data.secret} onClose={onClose} />
  return (
    <Dialog title={t('webhooks.create')} onClose={onClose}>
      <EndpointForm
        values={{ url: '', description: '', types: [] }}
        action={t('webhooks.create')}
        isPending={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate(values)}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** Shows a new signing secret. */
export function EndpointSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <SecretDialog
      title={t('webhooks.secret')}
      description={t('clients.secretOnce')}
      values={[{ label: t('webhooks.secret'), value: secret }]}
      copy={t('clients.copySecret')}
      onClose={onClose}
    />
  )
}
