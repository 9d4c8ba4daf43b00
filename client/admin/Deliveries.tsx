import { Anchor, Menu, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { isEventType } from '../../shared/event.ts'
import { deliveryStatuses } from '../../shared/webhook.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useEventName } from '../event/event-name.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Facts, Section } from '../ui/Section.tsx'
import { EmptyResult, TableFilter } from '../ui/TableControls.tsx'
import { Tag, type Tone } from '../ui/Tag.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import classes from './Deliveries.module.css'

type Delivery = Outputs['webhook']['deliveries'][number]

const perPage = 25
/** Milliseconds between two refreshes of the list while a delivery is due soon. */
const pollMs = 2_000

const toneOf: Record<Delivery['status'], Tone> = { pending: 'attention', delivered: 'good', failed: 'bad' }

/** Deliveries to an endpoint in the last month, newest first. The list refreshes while one is in progress. */
export function Deliveries({ endpointId, isEnabled }: { endpointId: string; isEnabled: boolean }) {
  const { t } = useTranslation()
  const [status, setStatus] = useState<Delivery['status']>()
  const list = trpc.webhook.deliveries.useInfiniteQuery(
    { endpointId, limit: perPage, ...(status && { status }) },
    {
      getNextPageParam: (page) => (page.length < perPage ? undefined : page.at(-1)?.id),
      refetchInterval: ({ state }) =>
        isEnabled && state.data?.pages.some((page) => page.some(isDueSoon)) === true ? pollMs : false,
    },
  )
  const again = trpc.webhook.sendAgain.useMutation()
  const [shown, setShown] = useState<Delivery>()
  const columns = useColumns({
    isEnabled,
    onShow: setShown,
    pendingId: again.isPending ? again.variables.deliveryId : undefined,
    onAgain: (deliveryId) => again.mutate({ deliveryId }),
  })
  return (
    <Section title={t('webhooks.deliveries')} isBare>
      <ErrorMessage error={again.error} />
      <DataTable<Delivery>
        label={t('webhooks.deliveries')}
        columns={columns}
        rows={list.data?.pages.flat()}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        toolbar={
          <TableFilter
            label={t('common.status')}
            value={status ?? ''}
            choices={[
              { value: '', label: t('webhooks.all') },
              ...deliveryStatuses.map((state) => ({ value: state, label: t(`webhooks.${state}`) })),
            ]}
            onFilter={(value) => setStatus(deliveryStatuses.find((state) => state === value))}
          />
        }
        empty={
          <EmptyResult
            text={status ? t('common.nothingFound') : t('webhooks.noDeliveries')}
            isFiltered={status !== undefined}
            onClear={() => setStatus(undefined)}
          />
        }
        {...(list.hasNextPage && {
          more: { isLoading: list.isFetchingNextPage, onMore: () => void list.fetchNextPage() },
        })}
      />
      {shown && <DeliveryDetails delivery={shown} onClose={() => setShown(undefined)} />}
    </Section>
  )
}

/** A delivery with its response and the event that is sent. */
function DeliveryDetails({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const details = trpc.webhook.delivery.useQuery({ deliveryId: delivery.id })
  const body = details.data?.body
  const { eventId, type, attempt, responseStatus, response, failure, nextTryAt } = delivery
  return (
    <Dialog title={type} onClose={onClose}>
      <Facts
        facts={[
          ['webhook-id', <code key="id">{eventId}</code>],
          [t('common.time'), dateFormat.time(delivery.createdAt)],
          [t('common.status'), t(isRetried(delivery) ? 'webhooks.retrying' : `webhooks.${delivery.status}`)],
          [
            t('webhooks.attempts', { count: attempt }),
            nextTryAt ? t('webhooks.next', { when: dateFormat.minute(nextTryAt) }) : '—',
          ],
          [t('webhooks.answer'), failure === null ? (responseStatus ?? '—') : t(`webhooks.${failure}`)],
        ]}
      />
      {response !== null && response !== '' && (
        <>
          <h3 className={classes.heading}>{t('webhooks.answer')}</h3>
          <pre className={classes.text}>{response}</pre>
        </>
      )}
      {details.isPending && <Skeleton height={160} mt="md" />}
      {details.error && <ErrorCard error={details.error} onTryAgain={() => void details.refetch()} />}
      {body && (
        <>
          <h3 className={classes.heading}>{t('webhooks.request')}</h3>
          <p className={classes.note}>{t('webhooks.timestampNote')}</p>
          <pre className={classes.text}>{JSON.stringify(body, null, 2)}</pre>
        </>
      )}
    </Dialog>
  )
}

/** Within a minute, by the clock of this computer. While a delivery is in progress, its next attempt is due in 30 s. */
function isDueSoon({ nextTryAt }: Delivery): boolean {
  return nextTryAt !== null && Date.parse(nextTryAt) < Date.now() + 60_000
}

/** Whether an attempt has failed and another one is due. */
function isRetried({ status, responseStatus, failure }: Delivery): boolean {
  return status === 'pending' && (responseStatus !== null || failure !== null)
}

type ColumnsOptions = {
  isEnabled: boolean
  pendingId: string | undefined
  onAgain: (id: string) => void
  onShow: (delivery: Delivery) => void
}

function useColumns({ isEnabled, pendingId, onAgain, onShow }: ColumnsOptions) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const eventName = useEventName()
  const nameOf = (type: string) => (isEventType(type) ? eventName(type) : type)
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      head: t('webhooks.event'),
      cell: (delivery) => (
        <>
          <Anchor component="button" type="button" onClick={() => onShow(delivery)}>
            {nameOf(delivery.type)}
          </Anchor>{' '}
          <code>{delivery.type}</code>
        </>
      ),
    },
    {
      id: 'state',
      head: t('common.status'),
      cell: (delivery) => (
        <>
          <Tag tone={toneOf[delivery.status]}>
            {t(isRetried(delivery) ? 'webhooks.retrying' : `webhooks.${delivery.status}`)}
          </Tag>{' '}
          {[
            delivery.attempt > 1 && t('webhooks.attempts', { count: delivery.attempt }),
            isEnabled &&
              delivery.nextTryAt !== null &&
              isRetried(delivery) &&
              t('webhooks.next', { when: dateFormat.minute(delivery.nextTryAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </>
      ),
    },
    {
      id: 'answer',
      head: t('webhooks.answer'),
      cell: ({ responseStatus, failure }) => (failure === null ? (responseStatus ?? '—') : t(`webhooks.${failure}`)),
    },
    { id: 'when', head: t('common.time'), cell: ({ createdAt }) => dateFormat.minute(createdAt) },
    {
      id: 'actions',
      head: '',
      cell: (delivery) => (
        <ActionsMenu name={nameOf(delivery.type)} isPending={pendingId === delivery.id}>
          <Menu.Item onClick={() => onAgain(delivery.id)}>{t('webhooks.sendAgain')}</Menu.Item>
        </ActionsMenu>
      ),
    },
  ]
  return columns
}
