import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isProvider, providerNames, type ProviderId } from '../../shared/provider.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Tag } from '../ui/Tag.tsx'
import { ProviderLogo } from './ProviderLogo.tsx'
import classes from './Providers.module.css'

/** localStorage key of the provider that was used last in this browser. */
const storageKey = 'foyer.provider'

/** Maximum number of providers next to the form. The operator's order determines which. */
export const maxShown = 4

type ProvidersProps = { next: string; requestSignUp?: boolean; loginHint?: string }

/** Social sign-in buttons above the form. Renders nothing if no provider is configured. */
export function Providers({ next, requestSignUp = false, loginHint }: ProvidersProps) {
  const { t } = useTranslation()
  const [{ providers }] = trpc.session.options.useSuspenseQuery()
  const [lastUsed] = useState(() => (typeof localStorage === 'object' ? (localStorage.getItem(storageKey) ?? '') : ''))
  const [isOpen, setOpen] = useState(false)
  const buttons = useRef<HTMLDivElement>(null)
  // The button that was clicked has gone: the focus moves to the first provider that it has shown.
  useEffect(() => {
    if (isOpen) buttons.current?.querySelectorAll('button')[maxShown]?.focus()
  }, [isOpen])
  const signIn = trpc.session.signInSocial.useMutation({
    onSuccess: (answer, { provider }) => {
      localStorage.setItem(storageKey, provider)
      if ('url' in answer && answer.url !== null) location.assign(answer.url)
    },
  })
  if (providers.length === 0) return null
  const ordered = providers.toSorted((a, b) => Number(b === lastUsed) - Number(a === lastUsed))
  const shown = isOpen ? ordered : ordered.slice(0, maxShown)
  const start = (provider: ProviderId) =>
    signIn.mutate({
      provider,
      callbackURL: next,
      errorCallbackURL: '/error',
      requestSignUp,
      ...(loginHint !== undefined && loginHint !== '' && { loginHint }),
    })
  return (
    <div className={classes.providers}>
      <div ref={buttons} className={classes.buttons} data-many={shown.length > 2}>
        {shown.map((provider) => (
          <Button
            key={provider}
            variant="default"
            fullWidth
            leftSection={<ProviderLogo id={provider} />}
            rightSection={
              provider === lastUsed && isProvider(lastUsed) ? (
                <Tag tone="attention">{t('social.lastUsed')}</Tag>
              ) : undefined
            }
            data-provider={provider}
            data-last-used={provider === lastUsed}
            loading={signIn.isPending || signIn.isSuccess ? signIn.variables.provider === provider : false}
            onClick={() => start(provider)}
            aria-label={t('social.with', { provider: providerNames[provider] })}
          >
            {shown.length > 2 && provider !== lastUsed
              ? providerNames[provider]
              : t('social.with', { provider: providerNames[provider] })}
          </Button>
        ))}
      </div>
      {shown.length < ordered.length && (
        <Button variant="subtle" size="sm" className="quiet-button" onClick={() => setOpen(true)}>
          {t('social.more')}
        </Button>
      )}
      <ErrorMessage error={signIn.error} />
      <div className={classes.or}>
        <span>{t('common.or')}</span>
      </div>
    </div>
  )
}
