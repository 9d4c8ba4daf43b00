import { ActionIcon, Menu, NativeSelect, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invitationStatuses } from '../../shared/invitation.ts'
import { type Outputs, trpc } from '../app/trpc.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { useOrganization } from '../organization/current-organization.ts'
import { Refused } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { MoreIcon } from '../ui/icons.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Invite } from './Invite.tsx'

type InvitationRow = Outputs['invitation']['list'][number]

const pageSize = 25

/** Invitations of the organization, filtered by status. */
export function Invitations() {
  const { t } = useTranslation()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const [status, setStatus] = useState<InvitationRow['status']>('pending')
  const [done, setDone] = useState('')
  const list = trpc.invitation.list.useInfiniteQuery(
    { organizationId, status, limit: pageSize },
    {
      getNextPageParam: (page) => (page.length === pageSize ? page.at(-1)?.id : undefined),
      placeholderData: keepPreviousData,
    },
  )
  const invitations = list.data?.pages.flat() ?? []
  return (
    <Page title={t('menu.invitations')}>
      {may('invitation', 'create') && <Invite />}
      <Section title={organization.name}>
        <NativeSelect
          maw={280}
          mb="md"
          label={t('invite.list')}
          value={status}
          onChange={(event) => {
            setDone('')
            setStatus(invitationStatuses.find((name) => name === event.currentTarget.value) ?? 'pending')
          }}
          data={invitationStatuses.map((name) => ({ value: name, label: t(`invite.${name}`) }))}
        />
        <PagedList list={list} isEmpty={invitations.length === 0} empty={t('invite.none')}>
          <Rows>
            {invitations.map((invitation) => (
              <InvitationLine key={invitation.id} invitation={invitation} onDone={setDone} />
            ))}
          </Rows>
        </PagedList>
        <Text component="output" c="var(--good)">
          {done}
        </Text>
      </Section>
    </Page>
  )
}

type LineProps = { invitation: InvitationRow; onDone: (message: string) => void }

function InvitationLine({ invitation, onDone }: LineProps) {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const roleName = useRoleName()
  const clipboard = useClipboard()
  const { may } = useOrganization()
  const { id, email, role, status, organizationId, teamId, expiresAt } = invitation
  const resend = trpc.invitation.create.useMutation({ onSuccess: () => onDone(t('invite.resent', { email })) })
  const cancel = trpc.invitation.cancel.useMutation({ onSuccess: () => onDone(t('invite.withdrawn', { email })) })
  const [seenAt] = useState(() => Date.now())
  const isExpired = new Date(expiresAt).getTime() <= seenAt
  const time = moment.time(expiresAt)
  const copy = () => {
    clipboard.copy(`${location.origin}/invitation/${id}`)
    onDone(t('invite.copied', { email }))
  }
  return (
    <>
      <Row
        name={email}
        note={[roleName(role), status === 'pending' && t(isExpired ? 'invite.expired' : 'invite.until', { time })]
          .filter(Boolean)
          .join(' · ')}
        action={
          status === 'pending' && (
            <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <ActionIcon
                  variant="subtle"
                  size={40}
                  className="quiet-button"
                  loading={resend.isPending || cancel.isPending}
                  aria-label={t('members.actions', { name: email })}
                >
                  <MoreIcon />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {!isExpired && <Menu.Item onClick={copy}>{t('invite.copy')}</Menu.Item>}
                {may('invitation', 'create') && (
                  <Menu.Item onClick={() => resend.mutate({ email, role, teamId, organizationId, resend: true })}>
                    {t('invite.resend')}
                  </Menu.Item>
                )}
                {may('invitation', 'cancel') && (
                  <Menu.Item color="var(--danger)" onClick={() => cancel.mutate({ invitationId: id })}>
                    {t('invite.cancel')}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )
        }
      />
      <Refused error={resend.error ?? cancel.error} />
    </>
  )
}
