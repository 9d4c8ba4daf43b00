import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../language/translation.ts'
import { withNext } from '../ui/next.ts'

/** Leads to the screen that emails a code or link to sign in, or up. */
export function CodeButton({ email, next }: { email: string; next: string | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = { ...(email !== '' && { email }), ...withNext(next) }
  return (
    <Button variant="default" fullWidth onClick={() => void navigate({ to: '/sign-in-code', search })}>
      {t('reauthenticate.byCode')}
    </Button>
  )
}
