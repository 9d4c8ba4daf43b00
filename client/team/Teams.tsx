import { Button, Menu, Stack } from '@mantine/core'
import { useState } from 'react'
import { CreateTeam } from '../../shared/team.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Person } from '../ui/Person.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { type Column } from '../ui/use-table-rows.ts'
import { TeamMembers } from './TeamMembers.tsx'

type TeamRow = Outputs['team']['withMembers'][number]
type Action = 'members' | 'rename' | 'remove'

const Fields = CreateTeam.pick({ name: true })

/** The teams of an organization with their members. What can be changed depends on the user's permissions. */
export function Teams() {
  const { t } = useTranslation()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const list = trpc.team.withMembers.useQuery({ organizationId })
  const teams = list.data
  const [open, setOpen] = useState<{ team: TeamRow; what: Action } | 'new'>()
  const close = () => setOpen(undefined)
  const remove = trpc.team.remove.useMutation({
    onSuccess: () => {
      if (typeof open === 'object') toast(t('teams.removed', { name: open.team.name }))
      close()
    },
  })
  const choose = (team: TeamRow, what: Action) => {
    remove.reset()
    setOpen({ team, what })
  }
  const columns = useColumns({ isLast: teams?.length === 1, onChoose: choose })
  return (
    <Page
      title={t('teams.title')}
      description={t('teams.description')}
      isWide
      actions={may('team', 'create') && <Button onClick={() => setOpen('new')}>{t('teams.new')}</Button>}
    >
      <DataTable<TeamRow>
        label={t('teams.title')}
        columns={columns}
        rows={teams}
        rowId={({ id }) => id}
        error={list.error}
        onTryAgain={() => void list.refetch()}
        empty={t('teams.none')}
        onOpen={(team) => choose(team, 'members')}
      />
      {open === 'new' && <NewTeam organizationId={organizationId} onClose={close} />}
      {typeof open === 'object' && open.what === 'members' && <TeamMembers team={open.team} onClose={close} />}
      {typeof open === 'object' && open.what === 'rename' && (
        <Rename team={open.team} organizationId={organizationId} onClose={close} />
      )}
      {typeof open === 'object' && open.what === 'remove' && (
        <Confirm
          title={t('teams.removeTitle', { name: open.team.name })}
          description={t('teams.removeDescription')}
          action={t('teams.remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ teamId: open.team.id, organizationId })}
          onClose={close}
        />
      )}
    </Page>
  )
}

type ColumnOptions = { isLast: boolean; onChoose: (team: TeamRow, what: Action) => void }

function useColumns({ isLast, onChoose }: ColumnOptions): Column<TeamRow>[] {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { organization, may } = useOrganization()
  const isMine = ({ id }: TeamRow) => id === organization.me.teamId
  return [
    {
      id: 'name',
      head: t('field.title'),
      cell: (team) => (
        <Person
          id={team.id}
          name={team.name}
          image={null}
          isSquare
          tags={isMine(team) && <Tag>{t('teams.yours')}</Tag>}
        />
      ),
    },
    {
      id: 'members',
      head: t('members.title'),
      cell: ({ memberCount }) => <span className="numbers">{memberCount}</span>,
    },
    { id: 'created', head: t('teams.createdOn'), cell: ({ createdAt }) => dateFormat.short(createdAt) },
    {
      id: 'actions',
      head: '',
      cell: (team) => (
        <ActionsMenu name={team.name}>
          <Menu.Item onClick={() => onChoose(team, 'members')}>{t('teams.members')}</Menu.Item>
          {may('team', 'update') && <Menu.Item onClick={() => onChoose(team, 'rename')}>{t('teams.rename')}</Menu.Item>}
          {may('team', 'delete') && !isLast && !isMine(team) && (
            <Menu.Item color="var(--danger)" onClick={() => onChoose(team, 'remove')}>
              {t('teams.remove')}
            </Menu.Item>
          )}
        </ActionsMenu>
      ),
    },
  ]
}

function NewTeam({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { name: '' } })
  const create = trpc.team.create.useMutation({
    onSuccess: ({ name }) => {
      toast(t('teams.madeNew', { name }))
      onClose()
    },
  })
  return (
    <Dialog title={t('teams.new')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(({ name }) => create.mutate({ name, organizationId }))}>
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.title')} autoComplete="off" data-autofocus />
          <ErrorMessage error={create.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('teams.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function Rename({ team, organizationId, onClose }: { team: TeamRow; organizationId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { name: team.name } })
  const undo = trpc.team.update.useMutation()
  const update = trpc.team.update.useMutation({
    onSuccess: () => {
      toast(t('common.saved'), () => undo.mutateAsync({ teamId: team.id, data: { name: team.name, organizationId } }))
      onClose()
    },
  })
  return (
    <Dialog title={t('teams.renameOf', { name: team.name })} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.handleSubmit(({ name }) => update.mutate({ teamId: team.id, data: { name, organizationId } }))}
      >
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.title')} autoComplete="off" data-autofocus />
          <ErrorMessage error={update.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={update.isPending}>
              {t('common.save')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
