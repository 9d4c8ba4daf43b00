import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { useReauthentication } from '../session/Reauthenticate.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Refused } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'

type UnassignedEventRow = Outputs['admin']['unassignedEvents'][number]

const pageSize = 50

/** Screen for administrators of this instance: unassigned events, disputes, administrators. */
export function Admin() {
  const { t } = useTranslation()
  return (
    <Page title={t('menu.admin')}>
      <UnassignedEvents />
      <Disputes />
      <Administrators />
    </Page>
  )
}

function UnassignedEvents() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const list = trpc.admin.unassignedEvents.useInfiniteQuery(
    { limit: pageSize },
    { getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined) },
  )
  const [done, setDone] = useState('')
  const [open, setOpen] = useState<UnassignedEventRow>()
  const again = trpc.admin.processAgain.useMutation({
    onSuccess: ({ isAssigned }) => setDone(t(isAssigned ? 'admin.done' : 'admin.stillUnassigned')),
  })
  const unassignedEvents = list.data?.pages.flat() ?? []
  return (
    <Section title={t('admin.unassigned')} why={t('admin.unassignedWhy')}>
      <PagedList list={list} isEmpty={unassignedEvents.length === 0} empty={t('admin.none')}>
        <Rows>
          {unassignedEvents.map((event) => (
            <Row
              key={event.id}
              name={event.type}
              note={[
                event.email,
                event.subjectId,
                moment.time(event.receivedAt),
                event.failure !== null && t('admin.failed', { reason: event.failure }),
              ]
                .filter(Boolean)
                .join(' · ')}
              action={
                <Group gap="xs">
                  {event.customerId !== null && (
                    <Button size="sm" onClick={() => setOpen(event)}>
                      {t('admin.assign')}
                    </Button>
                  )}
                  <Button
                    size="sm"
                    variant="default"
                    loading={again.isPending && again.variables.eventId === event.id}
                    onClick={() => again.mutate({ eventId: event.id })}
                  >
                    {t('admin.retry')}
                  </Button>
                </Group>
              }
            />
          ))}
        </Rows>
      </PagedList>
      <Refused error={again.error} />
      <Text component="output" c="var(--good)">
        {done}
      </Text>
      {open && <Assign event={open} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

/** Assigns the customer to a user (by email address) or to an organization (by slug). */
function Assign({ event, onClose }: { event: UnassignedEventRow; onClose: () => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(event.email ?? '')
  const assign = trpc.admin.assign.useMutation({ onSuccess: onClose })
  return (
    <Dialog title={t('admin.assign')} onClose={onClose}>
      <form
        onSubmit={(submit) => {
          submit.preventDefault()
          const name = typed.trim()
          assign.mutate({ eventId: event.id, ...(name.includes('@') ? { email: name } : { slug: name }) })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('admin.assignTo')}
            value={typed}
            data-autofocus
            autoComplete="off"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Refused error={assign.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={typed.trim() === ''} loading={assign.isPending}>
              {t('admin.assign')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The administrators of this instance. Only another administrator can revoke the role. */
function Administrators() {
  const { t } = useTranslation()
  const { guard, dialog } = useReauthentication()
  const [current] = trpc.session.get.useSuspenseQuery()
  const { data: administrators = [], error } = trpc.admin.administrators.useQuery()
  const [selected, setSelected] = useState<Outputs['admin']['administrators'][number]>()
  const [revoked, setRevoked] = useState('')
  const revoke = trpc.admin.revokeAdministrator.useMutation({
    onSuccess: () => {
      setRevoked(t('admin.revoked', { name: selected?.name ?? '' }))
      setSelected(undefined)
    },
    onError: (error, sent) => guard(error, () => revoke.mutate(sent)),
  })
  return (
    <Section title={t('admin.administrators')} why={t('admin.administratorsWhy')}>
      <Rows>
        {administrators.map((administrator) => (
          <Row
            key={administrator.id}
            name={administrator.name}
            note={administrator.email}
            action={
              administrator.id !== current?.user.id && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={t('admin.revokeOf', { name: administrator.name })}
                  onClick={() => setSelected(administrator)}
                >
                  {t('admin.revoke')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <Refused error={error} />
      <Text component="output" display="block" c="var(--good)">
        {revoked}
      </Text>
      {selected && dialog === null && (
        <Confirm
          title={t('admin.revokeTitle')}
          lead={t('admin.revokeLead', { name: selected.name })}
          action={t('admin.revoke')}
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ userId: selected.id })}
          onClose={() => setSelected(undefined)}
        />
      )}
      {dialog}
    </Section>
  )
}

function Disputes() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const { data: disputes = [], isSuccess, error } = trpc.admin.disputes.useQuery()
  return (
    <Section title={t('admin.disputes')}>
      {isSuccess && disputes.length === 0 && <Text c="dimmed">{t('admin.none')}</Text>}
      <Rows>
        {disputes.map(({ id, paymentId, amount, currency, stage, status, remarks, createdAt }) => (
          <Row
            key={id}
            name={`${amount} ${currency}`}
            note={[status, stage, paymentId, moment.day(createdAt), remarks].filter(Boolean).join(' · ')}
          />
        ))}
      </Rows>
      <Refused error={error} />
    </Section>
  )
}
