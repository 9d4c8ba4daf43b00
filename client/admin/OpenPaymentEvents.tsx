import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useMoney } from '../payment/money.ts'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { openPaymentEventsPage } from './first-pages.ts'

type OpenPaymentEventRow = Outputs['admin']['openPaymentEvents'][number]

/** Payment events that are unassigned or failed: assigned, processed again, or dismissed. */
export function OpenPaymentEvents() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const money = useMoney()
  const list = trpc.admin.openPaymentEvents.useInfiniteQuery(openPaymentEventsPage, {
    getNextPageParam: (page) => (page.length === openPaymentEventsPage.limit ? page.at(-1)?.id : undefined),
  })
  const [assigning, setAssigning] = useState<OpenPaymentEventRow>()
  const [dismissing, setDismissing] = useState<OpenPaymentEventRow>()
  const again = trpc.admin.processAgain.useMutation({
    onSuccess: ({ isAssigned }) => toast(t(isAssigned ? 'admin.done' : 'admin.stillUnassigned')),
  })
  const openPaymentEvents = list.data?.pages.flat() ?? []
  if (list.isSuccess && openPaymentEvents.length === 0 && !assigning && !dismissing) return null
  const heading = { title: t('admin.openEvents'), description: t('admin.openEventsDescription') }
  if (list.error && !list.data) {
    return (
      <Section {...heading} isBare>
        <ErrorCard error={list.error} onTryAgain={() => void list.refetch()} />
      </Section>
    )
  }
  return (
    <Section {...heading}>
      <PagedList list={list} isEmpty={openPaymentEvents.length === 0} empty={t('admin.none')}>
        <Rows>
          {openPaymentEvents.map((event) => (
            <Row
              key={event.id}
              name={event.type}
              detail={[
                event.price && money(event.price.amount, event.price.currency),
                event.email,
                event.subjectId,
                dateFormat.time(event.receivedAt),
                event.stateReason !== null && t('admin.failed', { reason: event.stateReason }),
              ]
                .filter(Boolean)
                .join(' · ')}
              action={
                <Group gap="xs">
                  {event.customerId !== null && (
                    <Button size="sm" onClick={() => setAssigning(event)}>
                      {t('admin.assign')}
                    </Button>
                  )}
                  <Button size="sm" variant="default" onClick={() => setDismissing(event)}>
                    {t('admin.dismiss')}
                  </Button>
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
      <ErrorMessage error={again.error} />
      {assigning && <Assign event={assigning} onClose={() => setAssigning(undefined)} />}
      {dismissing && <Dismiss event={dismissing} onClose={() => setDismissing(undefined)} />}
    </Section>
  )
}

/** Assigns the customer to a user (by email address) or to an organization (by slug). */
function Assign({ event, onClose }: { event: OpenPaymentEventRow; onClose: () => void }) {
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
          <ErrorMessage error={assign.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" disabled={typed.trim() === ''} loading={assign.isPending}>
              {t('admin.assign')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Dismisses an event, with a reason. */
function Dismiss({ event, onClose }: { event: OpenPaymentEventRow; onClose: () => void }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const dismiss = trpc.admin.dismiss.useMutation({ onSuccess: onClose })
  return (
    <Dialog title={t('admin.dismissTitle')} onClose={onClose}>
      <form
        onSubmit={(submit) => {
          submit.preventDefault()
          dismiss.mutate({ eventId: event.id, reason })
        }}
      >
        <Stack gap="md">
          <Text>{t('admin.dismissDescription')}</Text>
          <TextInput
            label={t('admin.dismissReason')}
            value={reason}
            maxLength={500}
            data-autofocus
            autoComplete="off"
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <ErrorMessage error={dismiss.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" disabled={reason.trim() === ''} loading={dismiss.isPending}>
              {t('admin.dismiss')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
