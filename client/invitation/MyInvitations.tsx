import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Emblem } from '../organization/Emblem.tsx'
import { useRoleName } from '../organization/Roles.tsx'
import { trpc, type Outputs } from '../app/trpc.ts'
import { Refused } from '../ui/Form.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'

/** Pending invitations of the user, on the start page. Hidden when there are none. */
export function MyInvitations() {
  const { t } = useTranslation()
  const [waiting] = trpc.invitation.mine.useSuspenseQuery()
  if (waiting.length === 0) return null
  return (
    <Section title={t('overview.invitations')}>
      <Rows>
        {waiting.map((invitation) => (
          <PendingInvitation key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </Section>
  )
}

function PendingInvitation({ invitation }: { invitation: Outputs['invitation']['mine'][number] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const roleName = useRoleName()
  const { id: invitationId, organizationName: name, organizationLogo: logo, inviterName: inviter } = invitation
  const reject = trpc.invitation.reject.useMutation()
  const accept = trpc.invitation.accept.useMutation({
    onSuccess: () => void navigate({ to: '/o/$slug', params: { slug: invitation.organizationSlug } }),
  })
  return (
    <>
      <Row
        picture={<Emblem name={name} logo={logo} size={36} />}
        name={name}
        note={t('overview.from', { inviter, role: roleName(invitation.role) })}
        action={
          <Group gap="xs">
            <Button
              size="sm"
              loading={accept.isPending}
              aria-label={`${t('invitation.accept')}: ${name}`}
              onClick={() => accept.mutate({ invitationId })}
            >
              {t('invitation.accept')}
            </Button>
            <Button
              size="sm"
              variant="default"
              loading={reject.isPending}
              aria-label={`${t('invitation.decline')}: ${name}`}
              onClick={() => reject.mutate({ invitationId })}
            >
              {t('invitation.decline')}
            </Button>
          </Group>
        }
      />
      <Refused error={accept.error ?? reject.error} />
    </>
  )
}
