import { Button, Menu } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { toast } from '../ui/toast.tsx'
import { Deliveries } from './Deliveries.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointTags } from './EndpointTags.tsx'
import { EndpointSecret } from './Webhooks.tsx'

type Endpoint = Outputs['webhook']['endpoints'][number]

/** One endpoint: its settings, deliveries and actions. */
export function WebhookPage() {
  const { t } = useTranslation()
  const { endpointId } = useParams({ from: '/shell/administration/admin/webhooks/$endpointId' })
  const { data: endpoints, error, refetch } = trpc.webhook.endpoints.useQuery()
  const endpoint = endpoints?.find(({ id }) => id === endpointId)
  if (!endpoint) {
    if (!error && !endpoints) return <PageLoading isWide />
    return (
      <Page title={t('webhooks.title')} description={error ? undefined : t('refusal.ENDPOINT_NOT_FOUND')} isWide>
        {error && <ErrorCard error={error} onTryAgain={() => void refetch()} />}
        <ButtonLink to="/admin/webhooks" variant="default">
          {t('webhooks.toList')}
        </ButtonLink>
      </Page>
    )
  }
  return <WebhookDetails endpoint={endpoint} />
}

function WebhookDetails({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation()
  const { id: endpointId, url, enabled } = endpoint
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete'>()
  const close = () => setOpen(undefined)
  const update = trpc.webhook.updateEndpoint.useMutation({
    onSuccess: () => {
      toast(t('webhooks.saved'))
      // Enabling may still be in progress when another dialog is opened.
      setOpen((shown) => (shown === 'edit' ? undefined : shown))
    },
  })
  const rotate = trpc.webhook.rotateSecret.useMutation({
    onSuccess: close,
  })
  const remove = trpc.webhook.deleteEndpoint.useMutation({
    onSuccess: () => {
      toast(t('webhooks.deleted'))
      void navigate({ to: '/admin/webhooks' })
    },
  })
  const test = trpc.webhook.sendTest.useMutation()
  return (
    <Page
      title={url}
      description={
        <>
          {[endpoint.description, endpoint.types.join(', ') || t('webhooks.allTypes')].filter(Boolean).join(' · ')}{' '}
          <EndpointTags endpoint={endpoint} />
        </>
      }
      isWide
      actions={
        <>
          {enabled ? (
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ endpointId })}>
              {t('webhooks.sendTest')}
            </Button>
          ) : (
            <Button loading={update.isPending} onClick={() => update.mutate({ endpointId, enabled: true })}>
              {t('webhooks.enable')}
            </Button>
          )}
          <ActionsMenu name={url}>
            <Menu.Item onClick={() => setOpen('edit')}>{t('webhooks.edit')}</Menu.Item>
            <Menu.Item onClick={() => setOpen('rotate')}>{t('common.replaceSecret')}</Menu.Item>
            {enabled && (
              <Menu.Item onClick={() => update.mutate({ endpointId, enabled: false })}>
                {t('webhooks.disable')}
              </Menu.Item>
            )}
            <Menu.Item color="var(--danger)" onClick={() => setOpen('delete')}>
              {t('webhooks.delete')}
            </Menu.Item>
          </ActionsMenu>
        </>
      }
    >
      <ErrorMessage error={test.error ?? (open === undefined ? update.error : null)} />
      <Deliveries endpointId={endpointId} isEnabled={enabled} />
      {open === 'edit' && (
        <Dialog title={t('webhooks.edit')} onClose={close}>
          <EndpointForm
            values={{ url: endpoint.url, description: endpoint.description, types: endpoint.types }}
            action={t('common.save')}
            isPending={update.isPending}
            error={update.error}
            onSubmit={(values) => update.mutate({ endpointId, ...values })}
            onClose={close}
          />
        </Dialog>
      )}
      {open === 'rotate' && (
        <Confirm
          title={t('webhooks.rotateTitle')}
          description={t('webhooks.rotateDescription')}
          action={t('common.replaceSecret')}
          isPending={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate({ endpointId })}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={t('webhooks.deleteTitle')}
          description={t('webhooks.deleteDescription', { url })}
          action={t('webhooks.delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ endpointId })}
          onClose={close}
        />
      )}
      {rotate.data && <EndpointSecret secret={rotate.data.secret} onClose={rotate.reset} />}
    </Page>
  )
}
