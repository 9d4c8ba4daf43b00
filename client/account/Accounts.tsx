import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { isProvider, providerNames } from '../../shared/provider.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ProviderLogo } from '../session/ProviderLogo.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Row, Rows, Section, SettingRow } from '../ui/Section.tsx'
import { ChangePasswordButton, SetFirstPassword } from './Password.tsx'

/** The password and the linked providers. The last one cannot be unlinked. */
export function Accounts() {
  const { t } = useTranslation()
  const [accounts] = trpc.account.listAccounts.useSuspenseQuery()
  const [removing, setRemoving] = useState<SignInMethod>()
  const [options] = trpc.session.options.useSuspenseQuery()
  const link = trpc.account.linkSocial.useMutation({
    onSuccess: ({ url }) => location.assign(url),
  })
  const isLast = accounts.length === 1
  const linked = new Set<string>(accounts.map(({ provider }) => provider))
  const others = options.providers.filter((provider) => !linked.has(provider))
  return (
    <Section title={t('accounts.title')} description={t('accounts.description')} isFlush>
      <Rows>
        {accounts.map((method) => (
          <Method key={method.id} method={method} isLast={isLast} onRemove={() => setRemoving(method)} />
        ))}
        {options.passwordReset && !linked.has('credential') && (
          <Row name={t('field.password')} detail={t('password.none')} action={<SetFirstPassword />} />
        )}
      </Rows>
      {others.length > 0 && (
        <SettingRow name={t('accounts.more')}>
          {others.map((provider) => (
            <Button
              key={provider}
              variant="default"
              size="sm"
              leftSection={<ProviderLogo id={provider} />}
              aria-label={t('accounts.link', { provider: providerNames[provider] })}
              loading={link.isPending && link.variables.provider === provider}
              onClick={() =>
                link.mutate({ provider, callbackURL: '/settings/security', errorCallbackURL: '/error?from=link' })
              }
            >
              {providerNames[provider]}
            </Button>
          ))}
        </SettingRow>
      )}
      <ErrorMessage error={link.error} />
      {removing && <RemoveMethod method={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

type SignInMethod = Outputs['account']['listAccounts'][number]
type MethodProps = { method: SignInMethod; isLast: boolean; onRemove: () => void }

function Method({ method: { provider, createdAt, scopes }, isLast, onRemove }: MethodProps) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const name = isProvider(provider) ? providerNames[provider] : t('field.password')
  const isPassword = provider === 'credential'
  return (
    <Row
      picture={isProvider(provider) && <ProviderLogo id={provider} />}
      name={name}
      detail={[
        t('accounts.since', { day: dateFormat.day(createdAt) }),
        scopes.length > 0 && t('accounts.readsAs', { scopes: scopes.join(', ') }),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={
        <Group gap="xs">
          {isPassword && <ChangePasswordButton />}
          {!isLast && (
            <Button
              variant="default"
              size="sm"
              aria-label={isPassword ? undefined : t('accounts.unlinkOf', { provider: name })}
              onClick={onRemove}
            >
              {isPassword ? t('accounts.removePassword') : t('accounts.unlink')}
            </Button>
          )}
        </Group>
      }
    />
  )
}

function RemoveMethod({ method, onClose }: { method: SignInMethod; onClose: () => void }) {
  const { t } = useTranslation()
  const unlink = trpc.account.unlink.useMutation({ onSuccess: onClose })
  const { provider: id, accountId } = method
  const provider = isProvider(id) ? providerNames[id] : id
  const isPassword = id === 'credential'
  return (
    <Confirm
      title={isPassword ? t('accounts.removePasswordTitle') : t('accounts.unlinkTitle', { provider })}
      description={isPassword ? t('accounts.removePasswordDescription') : t('accounts.unlinkDescription', { provider })}
      action={isPassword ? t('accounts.removePassword') : t('accounts.unlink')}
      isPending={unlink.isPending}
      error={unlink.error}
      onConfirm={() => unlink.mutate({ providerId: id, accountId })}
      onClose={onClose}
    />
  )
}
