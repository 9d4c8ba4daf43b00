import { Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '../../shared/permissions.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { RoleChoice } from '../organization/Roles.tsx'
import { trpc } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'

/** Invites one or more addresses. Refused addresses stay in the field, each with its error. */
export function Invite() {
  const { t } = useTranslation()
  const { organization, isOwnedByUser } = useOrganization()
  const organizationId = organization.id
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [teamId, setTeamId] = useState('')
  const [sent, setSent] = useState<string[]>([])
  const [refused, setRefused] = useState<{ email: string; error: unknown }[]>([])
  const [isSending, setSending] = useState(false)
  const teams = trpc.team.list.useQuery({ organizationId })
  const invite = trpc.invitation.create.useMutation()
  const addresses = addressesOf(typed)

  const send = async () => {
    setSending(true)
    setSent([])
    setRefused([])
    const failed: { email: string; error: unknown }[] = []
    // Sequential, so that limits apply to each invitation and the progress is visible.
    for (const email of addresses) {
      try {
        await invite.mutateAsync({ email, role, organizationId, teamId: teamId || null })
        setSent((before) => [...before, email])
      } catch (error) {
        failed.push({ email, error })
      }
    }
    setRefused(failed)
    setTyped(failed.map(({ email }) => email).join('\n'))
    setSending(false)
  }
  return (
    <Section title={t('invite.title')} why={t('invite.why')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Stack gap="md" maw={560}>
          <Textarea
            label={t('invite.addresses')}
            description={t('invite.addressesHint')}
            autosize
            minRows={2}
            maxRows={10}
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
          {teams.data && teams.data.length > 0 && (
            <NativeSelect
              label={t('members.team')}
              value={teamId}
              onChange={(event) => setTeamId(event.currentTarget.value)}
              data={[
                { value: '', label: t('members.noTeam') },
                ...teams.data.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <Button
            type="submit"
            loading={isSending}
            disabled={addresses.length === 0}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('invite.submit')}
          </Button>
          <Text component="output" display="block" c="var(--good)">
            {sent.length > 0 && t('invite.sent', { email: sent.join(', ') })}
          </Text>
          {refused.map(({ email, error }) => (
            <div key={email}>
              <Text fw={550}>{email}</Text>
              <Refused error={error} />
            </div>
          ))}
        </Stack>
      </form>
    </Section>
  )
}

/** Splits at commas, semicolons and whitespace, and removes duplicates. */
function addressesOf(typed: string): string[] {
  return [...new Set(typed.split(/[\s,;]+/).filter((address) => address !== ''))]
}
