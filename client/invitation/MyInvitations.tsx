import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc, type Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useRoleName } from '../organization/Roles.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Task } from '../ui/Task.tsx'
import { toast } from '../ui/toast.tsx'
import { ConfirmDecline } from './ConfirmDecline.tsx'

/** Pending invitations of the user, as tasks on the home screen. */
export function MyInvitations() {
  const [waiting] = trpc.invitation.mine.useSuspenseQuery()
  return waiting.map((invitation) => <PendingInvitation key={invitation.id} invitation={invitation} />)
}

function PendingInvitation({ invitation }: { invitation: Outputs['invitation']['mine'][number] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const dateFormat = useDateFormat()
  const roleName = useRoleName()
  const { id: invitationId, organizationId, organizationName: name, organizationLogo: logo } = invitation
  const [isDeclining, setDeclining] = useState(false)
  const reject = trpc.invitation.reject.useMutation({
    onSuccess: () => toast(t('invitation.declined', { organization: name })),
  })
  const accept = trpc.invitation.accept.useMutation({
    onSuccess: () => void navigate({ to: '/o/$slug', params: { slug: invitation.organizationSlug } }),
  })
  return (
    <Task
      icon={<Avatar id={organizationId} name={name} image={logo} size={36} isSquare />}
      title={t('invitation.title', { organization: name })}
      detail={[
        t('overview.from', { inviter: invitation.inviterName, role: roleName(invitation.role) }),
        t('overview.expires', { when: dateFormat.relative(invitation.expiresAt) }),
      ].join(' · ')}
      action={
        <Group gap="xs">
          <Button
            size="sm"
            variant="subtle"
            className="quiet-button"
            aria-label={`${t('invitation.decline')}: ${name}`}
            onClick={() => setDeclining(true)}
          >
            {t('invitation.decline')}
          </Button>
          <Button
            size="sm"
            loading={accept.isPending}
            aria-label={`${t('invitation.accept')}: ${name}`}
            onClick={() => accept.mutate({ invitationId })}
          >
            {t('invitation.accept')}
          </Button>
        </Group>
      }
      footer={
        <>
          <ErrorMessage error={accept.error} />
          {isDeclining && (
            <ConfirmDecline
              organization={name}
              call={reject}
              onConfirm={() => reject.mutate({ invitationId })}
              onClose={() => setDeclining(false)}
            />
          )}
        </>
      }
    />
  )
}
