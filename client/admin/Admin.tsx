import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { trpc, type Outputs } from '../trpc.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Refused } from '../ui/Form.tsx'
import { Frame } from '../ui/Frame.tsx'
import { useMoment } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'

type StrayRow = Outputs['admin']['strays'][number]

const rowsOfPage = 50

/** For administrators of this Foyer: what waits for a decision. */
export function Admin() {
  const { t } = useTranslation()
  return (
    <Frame title={t('menu.admin')}>
      <Strays />
      <Disputes />
    </Frame>
  )
}

function Strays() {
  const { t } = useTranslation()
  const moment = useMoment()
  const list = trpc.admin.strays.useInfiniteQuery(
    { limit: rowsOfPage },
    { getNextPageParam: (page) => (page.length === rowsOfPage ? page.at(-1)?.id : undefined) },
  )
  const [done, setDone] = useState('')
  const [open, setOpen] = useState<StrayRow>()
  const again = trpc.admin.processAgain.useMutation({
    onSuccess: ({ isSettled }) => setDone(t(isSettled ? 'admin.done' : 'admin.stillNobody')),
  })
  const strays = list.data?.pages.flat() ?? []
  return (
    <Section title={t('admin.strays')} why={t('admin.straysWhy')}>
      {list.isSuccess && strays.length === 0 && <Text c="dimmed">{t('admin.none')}</Text>}
      <Rows>
        {strays.map((stray) => (
          <Row
            key={stray.id}
            name={stray.type}
            note={[
              stray.email,
              stray.subjectId,
              moment.time(stray.receivedAt),
              stray.failure !== null && t('admin.failed', { reason: stray.failure }),
            ]
              .filter(Boolean)
              .join(' · ')}
            action={
              <Group gap="xs">
                {stray.customerId !== null && (
                  <Button size="sm" onClick={() => setOpen(stray)}>
                    {t('admin.assign')}
                  </Button>
                )}
                <Button
                  size="sm"
                  variant="default"
                  loading={again.isPending && again.variables.eventId === stray.id}
                  onClick={() => again.mutate({ eventId: stray.id })}
                >
                  {t('admin.again')}
                </Button>
              </Group>
            }
          />
        ))}
      </Rows>
      <Refused error={list.error ?? again.error} />
      <Group mt={list.hasNextPage || done ? 'sm' : 0}>
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('members.more')}
          </Button>
        )}
        <Text component="output" c="var(--good)">
          {done}
        </Text>
      </Group>
      {open && <Assign stray={open} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

/** Whose the customer is: a user by address, or an organization by its slug. */
function Assign({ stray, onClose }: { stray: StrayRow; onClose: () => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(stray.email ?? '')
  const assign = trpc.admin.assign.useMutation({ onSuccess: onClose })
  return (
    <Dialog title={t('admin.assign')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const name = typed.trim()
          assign.mutate({ eventId: stray.id, ...(name.includes('@') ? { email: name } : { slug: name }) })
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('admin.assignTo')}
            value={typed}
            data-autofocus
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Refused error={assign.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('again.cancel')}
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

function Disputes() {
  const { t } = useTranslation()
  const moment = useMoment()
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
