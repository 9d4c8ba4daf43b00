import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { trpc, type Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Row, Rows, Section, SectionActions } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { CreateApiKey } from './CreateApiKey.tsx'

type Key = Outputs['apiKey']['list'][number]

/** The API keys of the user, or of an organization. A key itself is shown once, when it is created. */
export function ApiKeys({ organizationId }: { organizationId?: string }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [isCreating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<Key>()
  const scope = organizationId === undefined ? {} : { organizationId }
  const [all] = trpc.apiKey.list.useSuspenseQuery(scope)
  // Keys of organizations are listed in the organization's settings.
  const keys = organizationId === undefined ? all.filter((key) => key.organizationId === null) : all
  const [session] = trpc.session.get.useSuspenseQuery()
  const change = trpc.apiKey.update.useMutation()
  const remove = trpc.apiKey.delete.useMutation({
    onSuccess: () => {
      toast(t('apiKeys.deleted'))
      setDeleting(undefined)
    },
  })
  const [now] = useState(() => new Date())
  const accessNote = (permissions: Record<string, string[]>) =>
    t(`apiKeys.accessOf.${Object.keys(permissions).length === 0 ? 'read' : 'some'}`)
  const nameOf = ({ name, start }: Key) => name ?? `${start}…`
  return (
    <Section
      title={t('common.apiKeys')}
      description={organizationId === undefined ? t('apiKeys.description') : t('apiKeys.organizationDescription')}
      isFlush
    >
      {keys.length === 0 ? (
        <Empty text={t('apiKeys.empty')} />
      ) : (
        <Rows>
          {keys.map((key) => {
            const isExpired = key.expiresAt !== null && new Date(key.expiresAt) <= now
            return (
              <Row
                key={key.id}
                name={
                  <>
                    {nameOf(key)} {isExpired && <Tag tone="bad">{t('common.expired')}</Tag>}
                  </>
                }
                detail={[
                  `${key.start}…`,
                  ...(key.permissions === null ? [] : [accessNote(key.permissions)]),
                  key.expiresAt === null
                    ? t('apiKeys.noExpiry')
                    : t('apiKeys.expires', { day: dateFormat.day(key.expiresAt) }),
                  key.lastRequest === null
                    ? t('common.neverUsed')
                    : t('common.lastUsed', { time: dateFormat.relative(key.lastRequest) }),
                ].join(' · ')}
                action={
                  <>
                    {key.userId === session?.user.id && (
                      <Checkbox
                        checked={key.enabled}
                        label={t('apiKeys.enabled')}
                        aria-label={t('apiKeys.enabledOf', { name: nameOf(key) })}
                        disabled={change.isPending}
                        onChange={(event) => change.mutate({ keyId: key.id, enabled: event.currentTarget.checked })}
                      />
                    )}
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('apiKeys.deleteOf', { name: nameOf(key) })}
                      onClick={() => setDeleting(key)}
                    >
                      {t('apiKeys.delete')}
                    </Button>
                  </>
                }
              />
            )
          })}
        </Rows>
      )}
      <ErrorMessage error={change.error} />
      <SectionActions>
        <Button variant="default" size="sm" onClick={() => setCreating(true)}>
          {t('apiKeys.create')}
        </Button>
      </SectionActions>
      {isCreating && <CreateApiKey {...scope} onClose={() => setCreating(false)} />}
      {deleting && (
        <Confirm
          title={t('apiKeys.deleteTitle', { name: nameOf(deleting) })}
          description={t('apiKeys.deleteDescription')}
          action={t('apiKeys.delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ keyId: deleting.id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  )
}
