import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateTeam } from '../../shared/team.ts'
import { type Outputs, trpc } from '../app/trpc.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field, Refused, useScreenForm } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { useDateFormat } from '../ui/moment.ts'

type TeamRow = Outputs['team']['list'][number]

const Fields = CreateTeam.pick({ name: true })

/** The teams of an organization. Creating, renaming and removing depend on the user's permissions. */
export function Teams() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const [teams] = trpc.team.list.useSuspenseQuery({ organizationId })
  const [open, setOpen] = useState<{ team: TeamRow; what: 'rename' | 'remove' }>()
  const remove = trpc.team.remove.useMutation({ onSuccess: () => setOpen(undefined) })
  const choose = (team: TeamRow, what: 'rename' | 'remove') => {
    remove.reset()
    setOpen({ team, what })
  }
  return (
    <Page title={t('menu.teams')}>
      <Section title={organization.name} why={t('teams.why')}>
        <Rows>
          {teams.map((team) => (
            <Row
              key={team.id}
              name={
                <Group gap={8}>
                  {team.name}
                  {team.id === organization.me.teamId && (
                    <Badge variant="outline" color="var(--warn)">
                      {t('teams.yours')}
                    </Badge>
                  )}
                </Group>
              }
              note={t('teams.created', { day: moment.day(team.createdAt) })}
              action={
                <Group gap="xs">
                  {may('team', 'update') && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('teams.renameOf', { name: team.name })}
                      onClick={() => choose(team, 'rename')}
                    >
                      {t('teams.rename')}
                    </Button>
                  )}
                  {may('team', 'delete') && teams.length > 1 && team.id !== organization.me.teamId && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('teams.removeOf', { name: team.name })}
                      onClick={() => choose(team, 'remove')}
                    >
                      {t('teams.remove')}
                    </Button>
                  )}
                </Group>
              }
            />
          ))}
        </Rows>
      </Section>
      {may('team', 'create') && <NewTeam organizationId={organizationId} />}
      {open?.what === 'rename' && (
        <Rename team={open.team} organizationId={organizationId} onClose={() => setOpen(undefined)} />
      )}
      {open?.what === 'remove' && (
        <Confirm
          title={t('teams.removeTitle', { name: open.team.name })}
          lead={t('teams.removeLead')}
          action={t('teams.remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ teamId: open.team.id, organizationId })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}

function NewTeam({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { name: '' } })
  const create = trpc.team.create.useMutation({ onSuccess: () => form.reset() })
  return (
    <Section title={t('teams.new')}>
      <form noValidate onSubmit={form.handleSubmit(({ name }) => create.mutate({ name, organizationId }))}>
        <Stack gap="md" maw={480}>
          <Field form={form} name="name" label={t('field.title')} autoComplete="off" />
          <Refused error={create.error} />
          <Group gap="sm">
            <Button type="submit" loading={create.isPending}>
              {t('teams.submit')}
            </Button>
            <Text component="output" c="var(--good)">
              {create.isSuccess ? t('settings.saved') : ''}
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function Rename({ team, organizationId, onClose }: { team: TeamRow; organizationId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { name: team.name } })
  const update = trpc.team.update.useMutation({ onSuccess: onClose })
  return (
    <Dialog title={t('teams.renameOf', { name: team.name })} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.handleSubmit(({ name }) => update.mutate({ teamId: team.id, data: { name, organizationId } }))}
      >
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.title')} autoComplete="off" data-autofocus />
          <Refused error={update.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={update.isPending}>
              {t('settings.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
