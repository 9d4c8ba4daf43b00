import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { mayManageMember } from '../../shared/permissions.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import type { MemberRow } from '../organization/member-row.ts'
import { MemberPicker } from '../organization/MemberPicker.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { PagedList } from '../ui/PagedList.tsx'
import { Person } from '../ui/Person.tsx'
import { toast } from '../ui/toast.tsx'
import classes from './TeamMembers.module.css'

/**
 * Maximum number of team members that the dialog lists. An organization has 100 members, unless the operator allows
 * more.
 */
const maxListed = 100

/** The members of a team, with controls to add and remove them. A member is in one team at a time. */
export function TeamMembers({ team, onClose }: { team: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation()
  const { organization, may } = useOrganization()
  const organizationId = organization.id
  const [chosen, setChosen] = useState<MemberRow>()
  const list = trpc.organization.members.useQuery({ organizationId, teamId: team.id, sort: 'name', limit: maxListed })
  const assign = trpc.team.assign.useMutation()
  const mayAssign = (member: MemberRow) =>
    may('member', 'update') && mayManageMember({ actor: organization.me.role, target: member.role })
  const move = (member: MemberRow, teamId: string | null, message: string) =>
    assign.mutate(
      { organizationId, memberId: member.id, teamId },
      {
        onSuccess: () => {
          setChosen(undefined)
          toast(message, () => assign.mutateAsync({ organizationId, memberId: member.id, teamId: member.teamId }))
        },
      },
    )
  const members = list.data?.members ?? []
  return (
    <Dialog title={team.name} description={t('teams.membersDescription')} onClose={onClose}>
      <Stack gap="md">
        {may('member', 'update') && (
          <Group gap="sm" align="flex-end">
            <MemberPicker
              organizationId={organizationId}
              label={t('teams.add')}
              isLeftOut={(member) => member.teamId === team.id || !mayAssign(member)}
              value={chosen}
              onChoose={setChosen}
            />
            <Button
              variant="default"
              disabled={!chosen}
              loading={assign.isPending}
              onClick={() =>
                chosen && move(chosen, team.id, t('teams.added', { name: chosen.user.name, team: team.name }))
              }
            >
              {t('teams.addSubmit')}
            </Button>
          </Group>
        )}
        <ErrorMessage error={assign.error} />
        <PagedList
          list={{ ...list, hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined }}
          isEmpty={members.length === 0}
          empty={t('teams.empty')}
        >
          <ul className={classes.list}>
            {members.map((member) => (
              <li key={member.id}>
                <Person {...member.user} detail={member.user.email} />
                {mayAssign(member) && (
                  <Button
                    size="sm"
                    variant="default"
                    aria-label={t('teams.takeOut', { name: member.user.name })}
                    onClick={() => move(member, null, t('teams.takenOut', { name: member.user.name, team: team.name }))}
                  >
                    {t('common.remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </PagedList>
        {(list.data?.total ?? 0) > maxListed && (
          <Text c="dimmed" fz="sm">
            {t('table.range', { from: 1, to: maxListed, total: list.data?.total ?? 0 })}
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}
