import { Alert, Anchor } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { RefusalKey } from '../../shared/errors.ts'
import { banOf, refusalOf, requestIdOf, retryAfterOf, statusOf } from '../api/call-errors.ts'
import { queries } from '../api/client.ts'
import { hasText, useTranslation } from '../language/translation.ts'
import { useDateFormat } from './date-format.ts'
import { useOnline } from './use-online.ts'

/** Maps server refusals to form fields; all others concern the whole form. */
const fieldOf: Partial<Record<RefusalKey, string>> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS: 'email',
  INVALID_PASSWORD: 'currentPassword',
  EMAIL_IS_THE_SAME: 'newEmail',
  COULDNT_UPDATE_YOUR_EMAIL: 'newEmail',
  PASSWORD_TOO_SHORT: 'password',
  PASSWORD_TOO_LONG: 'password',
  PASSWORD_TOO_COMMON: 'password',
  USERNAME_IS_TOO_SHORT: 'username',
  USERNAME_IS_TOO_LONG: 'username',
  USERNAME_IS_INVALID: 'username',
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: 'username',
  ORGANIZATION_ALREADY_EXISTS: 'slug',
  SLUG_IS_TAKEN: 'slug',
}

/** The field among `names` that a refusal concerns. Undefined if it concerns the whole form. */
export function refusedField<Name extends string>(error: unknown, names: readonly Name[]): Name | undefined {
  const key = refusalOf(error)
  return names.find((name) => key !== undefined && fieldOf[key] === name)
}

/** Returns the translated reason of a failed call: the refusal, else whether the server or the connection failed. */
export function useReason() {
  const { t } = useTranslation()
  return (error: unknown): string => {
    const key = `refusal.${refusalOf(error)}`
    if (hasText(key)) return t(key)
    return navigator.onLine ? t('failure.server') : t('failure.offline')
  }
}

/**
 * Focuses the reason of a refusal if nothing has the focus: the button that was clicked may be disabled by then. In a
 * tall dialog, it would be behind the buttons.
 */
function focusIfLost(alert: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (alert?.closest('[role="dialog"]')) alert.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) alert?.focus({ preventScroll: true })
  })
}

/** Alert with the translated error message, and optionally a next step. */
export function ErrorMessage({ error, names, next }: { error: unknown; names?: readonly string[]; next?: ReactNode }) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  // An error of the connection disappears once the browser is online again.
  const [outdated, setOutdated] = useState<unknown>()
  useOnline(() => setOutdated(error))
  if (!error || (outdated === error && statusOf(error) === undefined)) return null
  const key = refusalOf(error)
  if (refusedField(error, names ?? []) !== undefined) return null
  return (
    <Alert ref={focusIfLost} tabIndex={-1} className="refused" variant="outline" color="danger" role="alert">
      {reasonOf(error)} {next}
      <BanFacts error={error} />
      {key === 'UNAUTHORIZED' && (
        // In another tab, so that nothing typed here is lost.
        <Anchor href={signInUrl()} target="_blank">
          {t('failure.signInInNewTab')}
        </Anchor>
      )}
      {hasCountdown(error) && <Wait key={requestIdOf(error)} seconds={retryAfterOf(error)} />}
    </Alert>
  )
}

/** The sign-in page, with the email address of the user who was signed in here. */
function signInUrl(): string {
  const email = queries.session.get.getData()?.user.email
  return `/sign-in?${new URLSearchParams({ ...(email !== undefined && { email }), next: location.pathname }).toString()}`
}

/** Why and until when the user is banned. */
function BanFacts({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const ban = banOf(error)
  return [
    ban?.reason != null && t('field.banReason', { reason: ban.reason }),
    ban?.expiresAt != null && t('field.banExpires', { moment: dateFormat.minute(ban.expiresAt) }),
  ]
    .filter(Boolean)
    .map((text) => <div key={String(text)}>{text}</div>)
}

const maxMomentSeconds = 60

/** Whether the time until the next attempt is shown. Failures that soon pass already ask to try again in a moment. */
function hasCountdown(error: unknown): boolean {
  return statusOf(error) === 429 || (retryAfterOf(error) ?? 0) > maxMomentSeconds
}

/** Counts down until a call can be repeated. The reason before it already asks to wait and try again. */
function Wait({ seconds }: { seconds: number | undefined }) {
  const { language } = useTranslation()
  const [left, setLeft] = useState(seconds ?? 0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  // Announced once with the reason, not every second.
  if (left <= 0) return null
  const [value, unit] = left > maxMomentSeconds ? [Math.ceil(left / 60), 'minute'] : [left, 'second']
  const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  return <span aria-hidden="true">({time})</span>
}
