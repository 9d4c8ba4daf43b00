import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from '../language/translation.ts'
import { isProvider, providerNames } from '../../shared/provider.ts'
import { ProviderLogo } from '../session/ProviderLogo.tsx'
import { trpc } from '../api/trpc.ts'
import { Refused } from '../ui/Refused.tsx'
import { useDateFormat } from '../ui/moment.ts'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { ChangePasswordButton, SetFirstPassword } from './Password.tsx'

/** The password and the linked providers. The last one cannot be unlinked. */
export function Accounts() {
  const { t } = useTranslation()
  const moment = useDateFormat()
  const [accounts] = trpc.account.listAccounts.useSuspenseQuery()
  const unlink = trpc.account.unlink.useMutation()
  const [options] = trpc.session.options.useSuspenseQuery()
  const link = trpc.account.linkSocial.useMutation({
    onSuccess: ({ url }) => location.assign(url),
  })
  const isLast = accounts.length === 1
  const linked = new Set<string>(accounts.map(({ provider }) => provider))
  const others = options.providers.filter((provider) => !linked.has(provider))
  return (
    <Section title={t('accounts.title')} why={t('accounts.why')}>
      <Rows>
        {accounts.map(({ id, provider, accountId, createdAt, scopes }) => (
          <Row
            key={id}
            picture={isProvider(provider) && <ProviderLogo id={provider} />}
            name={isProvider(provider) ? providerNames[provider] : t('field.password')}
            note={[
              t('accounts.since', { day: moment.day(createdAt) }),
              scopes.length > 0 && t('accounts.readsAs', { scopes: scopes.join(', ') }),
            ]
              .filter(Boolean)
              .join(' · ')}
            action={
              <Group gap="xs">
                {provider === 'credential' && <ChangePasswordButton />}
                {!isLast && (
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={t('accounts.unlinkOf', {
                      provider: isProvider(provider) ? providerNames[provider] : t('field.password'),
                    })}
                    loading={unlink.isPending && unlink.variables.accountId === accountId}
                    onClick={() => unlink.mutate({ providerId: provider, accountId })}
                  >
                    {t('accounts.unlink')}
                  </Button>
                )}
              </Group>
            }
          />
        ))}
        {options.passwordReset && !linked.has('credential') && (
          <Row name={t('field.password')} note={t('password.none')} action={<SetFirstPassword />} />
        )}
      </Rows>
      {others.length > 0 && (
        <>
          <Text fw={550} mt="lg" mb="xs">
            {t('accounts.more')}
          </Text>
          <Group gap="xs">
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
          </Group>
        </>
      )}
      <Refused error={unlink.error ?? link.error} />
    </Section>
  )
}
