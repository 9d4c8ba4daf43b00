import { Button, Stack } from '@mantine/core'
import { useEffect } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useNext } from '../ui/next.ts'

/** Asks whether to sign out. Applications lead here. A link alone does not sign the user out. */
export function SignOut() {
  const { t } = useTranslation()
  const next = useNext()
  const [session] = trpc.session.get.useSuspenseQuery()
  const target = next ?? '/sign-in'
  // A full page load, so that no data of the user stays in memory.
  const signOut = trpc.session.signOut.useMutation({ onSuccess: () => location.assign(target) })
  const isOut = !session && !signOut.isSuccess
  useEffect(() => {
    if (isOut) location.replace(target)
  }, [isOut, target])
  if (isOut) {
    return (
      <AuthLayout title={t('signOut.doneTitle')} description={t('signOut.done')}>
        <Button component="a" href={target} fullWidth>
          {t('common.continue')}
        </Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('signOut.title')} description={t('signOut.description', { email: session?.user.email ?? '' })}>
      <Stack gap="sm">
        <Button fullWidth loading={signOut.isPending || signOut.isSuccess} onClick={() => signOut.mutate()}>
          {t('common.signOut')}
        </Button>
        <ErrorMessage error={signOut.error} />
        <ButtonLink to="/" variant="default" fullWidth>
          {t('common.cancel')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}
