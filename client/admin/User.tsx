import { Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { languageById } from '../../shared/language.ts'
import { nameOfMethod } from '../../shared/provider.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { RoleTag } from '../organization/Roles.tsx'
import { useMoney } from '../payment/money.ts'
import { toneOfPayment, usePaymentStatus } from '../payment/payment-status.ts'
import { useDeviceName } from '../session/device-name.ts'
import { SessionNote } from '../session/SessionNote.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'
import { PageLoading } from '../ui/PageStates.tsx'
import { Facts, Row, Rows, Section, SectionActions } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { AdminLoadError } from './AdminLoadError.tsx'
import { UserMetadata } from './Metadata.tsx'
import { OwnedSubscriptions } from './OwnedSubscriptions.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { UserActions } from './UserActions.tsx'
import { UserTags } from './UserTags.tsx'

/** One user, as administrators see it: profile, sign-in methods, organizations, sessions, activity, and actions. */
export function User() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const { userId } = useParams({ from: '/shell/administration/admin/users/$userId' })
  const { data: user, error, refetch } = trpc.admin.getUser.useQuery({ userId })
  const { data: details } = trpc.admin.userDetails.useQuery({ userId })
  if (error) {
    return (
      <AdminLoadError
        title={t('users.title')}
        error={error}
        missing="ADMIN_USER_NOT_FOUND"
        list="/admin/users"
        listName={t('users.toList')}
        onTryAgain={() => void refetch()}
      />
    )
  }
  if (!user) return <PageLoading isWide />
  return (
    <Page
      title={user.name}
      description={
        <>
          {user.email} <UserTags user={user} />
        </>
      }
      isWide
      actions={<UserActions user={user} hasPasskeys={(details?.passkeys ?? 0) > 0} />}
    >
      <Section>
        <Facts
          facts={[
            [t('users.since'), dateFormat.day(user.createdAt)],
            ...(user.username === null
              ? []
              : ([[t('common.username'), user.displayUsername ?? user.username]] satisfies [string, string][])),
            ...(user.banned
              ? ([
                  [t('users.reason'), user.banReason ?? '—'],
                  [t('users.until'), user.banExpires ? dateFormat.minute(user.banExpires) : t('users.forever')],
                ] satisfies [string, string][])
              : []),
            [t('twoFactor.title'), user.twoFactorEnabled ? t('twoFactor.on') : t('users.noTwoFactor')],
            [t('common.language'), languageById(user.language).name],
            [t('users.id'), <code key="id">{user.id}</code>],
          ]}
        />
      </Section>
      <Details userId={userId} />
      <UserSessions userId={userId} />
      <UserMetadata userId={userId} />
      <RecentActivity of={{ userId }} />
    </Page>
  )
}

function Details({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const money = useMoney()
  const paymentName = usePaymentStatus()
  const { data: details, error } = trpc.admin.userDetails.useQuery({ userId })
  const nameOf = (provider: string) => (provider === 'credential' ? t('field.password') : nameOfMethod(provider))
  return (
    <>
      <Section title={t('accounts.title')} isFlush>
        <Rows>
          {details?.accounts.map(({ provider, createdAt }) => (
            <Row
              key={`${provider} ${createdAt}`}
              name={nameOf(provider)}
              detail={t('accounts.since', { day: dateFormat.day(createdAt) })}
            />
          ))}
          {details && details.passkeys > 0 && <Row name={t('passkeys.title')} detail={details.passkeys} />}
          {details?.twoFactorRemovalAt && <TwoFactorRemoval userId={userId} at={details.twoFactorRemovalAt} />}
          {details && details.apiKeys > 0 && <Row name={t('common.apiKeys')} detail={details.apiKeys} />}
        </Rows>
        {details?.accounts.length === 0 && <Nothing text={t('users.noAccounts')} />}
        <ErrorMessage error={error} />
      </Section>
      <Section title={t('users.organizations')} isFlush>
        <Rows>
          {details?.organizations.map(({ id, name, slug, role }) => (
            <Row
              key={id}
              name={
                <AnchorLink to="/admin/organizations/$organizationId" params={{ organizationId: id }}>
                  {name}
                </AnchorLink>
              }
              detail={slug}
              action={<RoleTag role={role} />}
            />
          ))}
        </Rows>
        {details?.organizations.length === 0 && <Nothing text={t('users.noOrganizations')} />}
      </Section>
      {details && details.subscriptions.length + details.payments.length > 0 && (
        <Section title={t('installation.purchases')} isFlush>
          <Rows>
            <OwnedSubscriptions subscriptions={details.subscriptions} />
            {details.payments.map(({ id, amount, currency, status, createdAt }) => (
              <Row
                key={id}
                name={
                  <AnchorLink to="/admin/payments/$paymentId" params={{ paymentId: id }}>
                    {money(amount, currency)}
                  </AnchorLink>
                }
                detail={`${dateFormat.minute(createdAt)} · ${id}`}
                action={<Tag tone={toneOfPayment(status)}>{paymentName(status)}</Tag>}
              />
            ))}
          </Rows>
        </Section>
      )}
    </>
  )
}

/** A second factor that is being removed, and the button to cancel it. */
function TwoFactorRemoval({ userId, at }: { userId: string; at: string }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const cancel = trpc.admin.cancelFactorRemoval.useMutation()
  return (
    <Row
      name={t('twoFactor.title')}
      detail={
        <>
          {t('users.twoFactorRemovedAt', { time: dateFormat.minute(at) })} <ErrorMessage error={cancel.error} />
        </>
      }
      action={
        <Button variant="default" size="sm" loading={cancel.isPending} onClick={() => cancel.mutate({ userId })}>
          {t('users.cancelRemoval')}
        </Button>
      }
    />
  )
}

function UserSessions({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  const { data: sessions, error } = trpc.admin.userSessions.useQuery({ userId })
  const onSuccess = () => toast(t('sessions.revoked'))
  const revoke = trpc.admin.revokeUserSession.useMutation({ onSuccess })
  const revokeAll = trpc.admin.revokeUserSessions.useMutation({ onSuccess })
  return (
    <Section title={t('sessions.title')} isFlush>
      <Rows>
        {sessions?.map(({ token, browser, system, ipAddress, updatedAt, impersonatedBy }) => {
          const device = deviceName({ browser, system }) ?? t('common.unknownDevice')
          return (
            <Row
              key={token}
              name={
                <>
                  {device} {impersonatedBy !== undefined && <Tag tone="attention">{t('role.admin')}</Tag>}
                </>
              }
              detail={<SessionNote updatedAt={updatedAt} ipAddress={ipAddress} />}
              action={
                <Button
                  variant="default"
                  size="sm"
                  aria-label={t('sessions.revokeOf', { device })}
                  loading={revoke.isPending && revoke.variables.sessionToken === token}
                  onClick={() => revoke.mutate({ sessionToken: token })}
                >
                  {t('sessions.revoke')}
                </Button>
              }
            />
          )
        })}
      </Rows>
      {sessions?.length === 0 && <Nothing text={t('users.noSessions')} />}
      {sessions !== undefined && sessions.length > 1 && (
        <SectionActions>
          <Button
            variant="default"
            color="danger"
            size="sm"
            loading={revokeAll.isPending}
            onClick={() => revokeAll.mutate({ userId })}
          >
            {t('users.revokeAll')}
          </Button>
        </SectionActions>
      )}
      <ErrorMessage error={error ?? revoke.error ?? revokeAll.error} />
    </Section>
  )
}

function Nothing({ text }: { text: string }) {
  return (
    <Text c="dimmed" px={24} py="md">
      {text}
    </Text>
  )
}
