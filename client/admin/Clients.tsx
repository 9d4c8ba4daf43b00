import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { Page } from '../ui/Page.tsx'
import { CardsLoading } from '../ui/PageStates.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { ClientSecret } from './ClientSecret.tsx'
import { CreateClient } from './CreateClient.tsx'
import { EditClient } from './EditClient.tsx'

type Client = Outputs['admin']['clients'][number]

/** The applications that users sign in to with OpenID Connect. */
export function Clients() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { data: clients, error, refetch } = trpc.admin.clients.useQuery()
  const [isCreating, setCreating] = useState(false)
  const [editing, setEditing] = useState<Client>()
  const [deleting, setDeleting] = useState<Client>()
  const [replacing, setReplacing] = useState<Client>()
  const remove = trpc.admin.deleteClient.useMutation({
    onSuccess: () => {
      toast(t('clients.deleted', { name: deleting?.name ?? '' }))
      setDeleting(undefined)
    },
  })
  const replace = trpc.admin.replaceClientSecret.useMutation({
    onSuccess: () => setReplacing(undefined),
  })
  return (
    <Page
      title={t('clients.title')}
      description={t('clients.description')}
      isWide
      actions={<Button onClick={() => setCreating(true)}>{t('clients.create')}</Button>}
    >
      {!clients && (error ? <ErrorCard error={error} onTryAgain={() => void refetch()} /> : <CardsLoading />)}
      {clients && (
        <Section isFlush={clients.length > 0}>
          {clients.length === 0 && <Empty text={t('clients.empty')} />}
          <Rows>
            {clients.map((client) => (
              <Row
                key={client.id}
                picture={<Avatar id={client.name} name={client.name} image={client.logo} isSquare />}
                name={
                  <>
                    {client.name} {client.isFirstParty && <Tag tone="accent">{t('clients.firstParty')}</Tag>}{' '}
                    {client.isPublic && <Tag>{t('clients.public')}</Tag>}
                  </>
                }
                detail={
                  <>
                    <code>{client.id}</code> · {[dateFormat.day(client.createdAt), ...client.redirectUris].join(' · ')}
                  </>
                }
                action={
                  <ActionsMenu name={client.name}>
                    {!client.isFirstParty && (
                      <Menu.Item onClick={() => setEditing(client)}>{t('clients.edit')}</Menu.Item>
                    )}
                    {!client.isPublic && (
                      <Menu.Item onClick={() => setReplacing(client)}>{t('common.replaceSecret')}</Menu.Item>
                    )}
                    <Menu.Item color="var(--danger)" onClick={() => setDeleting(client)}>
                      {t('clients.delete')}
                    </Menu.Item>
                  </ActionsMenu>
                }
              />
            ))}
          </Rows>
        </Section>
      )}
      {isCreating && <CreateClient onClose={() => setCreating(false)} />}
      {editing && <EditClient client={editing} onClose={() => setEditing(undefined)} />}
      {deleting && (
        <Confirm
          title={t('clients.deleteTitle', { name: deleting.name })}
          description={t('clients.deleteDescription')}
          action={t('clients.delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ clientId: deleting.id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
      {replacing && (
        <Confirm
          title={t('clients.replaceTitle', { name: replacing.name })}
          description={t('clients.replaceDescription')}
          action={t('common.replaceSecret')}
          isPending={replace.isPending}
          error={replace.error}
          onConfirm={() => replace.mutate({ clientId: replacing.id })}
          onClose={() => setReplacing(undefined)}
        />
      )}
      {replace.data && (
        <ClientSecret id={replace.variables?.clientId ?? ''} secret={replace.data.secret} onClose={replace.reset} />
      )}
    </Page>
  )
}
