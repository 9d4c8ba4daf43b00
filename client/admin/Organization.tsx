import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { Facts, Rows, Section } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { AdminLoadError } from './AdminLoadError.tsx'
import { OrganizationMetadata } from './Metadata.tsx'
import { OrganizationLimit } from './OrganizationLimit.tsx'
import { OrganizationMembers } from './OrganizationMembers.tsx'
import { OwnedSubscriptions } from './OwnedSubscriptions.tsx'
import { RecentActivity } from './RecentActivity.tsx'

/** One organization, as administrators see it: facts, members, activity, and its deletion. */
export function Organization() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { organizationId } = useParams({ from: '/shell/administration/admin/organizations/$organizationId' })
  const [{ hasPayments }] = trpc.session.options.useSuspenseQuery()
  const { data: organization, error, refetch } = trpc.admin.organization.useQuery({ organizationId })
  if (error && !organization) {
    return (
      <AdminLoadError
        title={t('installation.organizations')}
        error={error}
        missing="ORGANIZATION_NOT_FOUND"
        list="/admin/organizations"
        listName={t('installation.toOrganizations')}
        onTryAgain={() => void refetch()}
      />
    )
  }
  if (!organization) return <PageLoading isWide />
  const { name, slug, createdAt, members, teams, pendingInvitations, subscriptions } = organization
  return (
    <Page title={name} description={slug} isWide actions={<Delete organization={organization} />}>
      <Section>
        <Facts
          facts={[
            [t('installation.created'), dateFormat.day(createdAt)],
            [t('installation.members'), members],
            [t('organization.limit'), <OrganizationLimit key="limit" organization={organization} />],
            [t('installation.teams'), teams],
            [t('installation.pendingInvitations'), pendingInvitations],
            ...(hasPayments
              ? ([
                  [
                    t('admin.allPayments'),
                    <AnchorLink key="payments" to="/admin/payments" search={{ q: organization.id }}>
                      {t('admin.ownPayments')}
                    </AnchorLink>,
                  ],
                ] satisfies [string, ReactNode][])
              : []),
            [t('installation.id'), <code key="id">{organization.id}</code>],
          ]}
        />
      </Section>
      {subscriptions.length > 0 && (
        <Section title={t('installation.subscriptions')} isFlush>
          <Rows>
            <OwnedSubscriptions subscriptions={subscriptions} />
          </Rows>
        </Section>
      )}
      <Section title={t('installation.members')} isBare>
        <OrganizationMembers organizationId={organizationId} />
      </Section>
      <OrganizationMetadata organizationId={organizationId} />
      <RecentActivity of={{ organizationId }} />
    </Page>
  )
}

function Delete({ organization: { id, name } }: { organization: Outputs['admin']['organization'] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = trpc.admin.deleteOrganization.useMutation({
    onSuccess: () => {
      toast(t('installation.deleted', { name }))
      void navigate({ to: '/admin/organizations' })
    },
  })
  return (
    <>
      <Button variant="default" color="danger" onClick={() => setAsking(true)}>
        {t('installation.deleteOrganization')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('installation.deleteTitle', { name })}
          description={t('installation.deleteDescription')}
          action={t('installation.deleteOrganization')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ organizationId: id })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
