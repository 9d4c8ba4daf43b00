import { Button, Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { forgetLinkSecret, useLinkSecret } from '../ui/link-secret.ts'
import { ButtonLink } from '../ui/links.tsx'
import { LoadingScreen } from '../ui/ScreenStates.tsx'
import { DeletionFacts } from './DeletionFacts.tsx'
import { DeletionObstacles, isDeletionBlocked } from './DeletionObstacles.tsx'

/** Target of the emailed deletion link: lists what is deleted and asks for confirmation. */
export function DeleteAccount() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/delete-account' })
  const token = useLinkSecret('deletion', search.token)
  const [session] = trpc.session.get.useSuspenseQuery()
  const preview = trpc.account.previewDeletion.useQuery(undefined, { enabled: session !== null })
  const remove = trpc.account.delete.useMutation({
    onSuccess: () => forgetLinkSecret('deletion'),
  })
  if (remove.isSuccess) {
    return (
      <AuthLayout title={t('deletion.doneTitle')} description={t('deletion.done')}>
        <Button component="a" href="/sign-up" variant="default" fullWidth>
          {t('signIn.toSignUp')}
        </Button>
      </AuthLayout>
    )
  }
  if (!session) {
    return (
      <AuthLayout title={t('deletion.signInTitle')} description={t('deletion.signIn')}>
        <ButtonLink to="/sign-in" search={{ next: '/delete-account' }} fullWidth>
          {t('common.signIn')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (token === undefined || refusalOf(remove.error) === 'DELETE_INVALID_TOKEN') {
    return (
      <AuthLayout title={t('deletion.invalidTitle')} description={t('deletion.invalid')}>
        <ButtonLink to="/settings" fullWidth>
          {t('common.mySettings')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (preview.isPending) return <LoadingScreen />
  const isBlocked = isDeletionBlocked(preview.data)
  return (
    <AuthLayout title={t('deletion.title')} description={t('deletion.description', { email: session.user.email })}>
      <Stack gap="md">
        {preview.data && <DeletionFacts preview={preview.data} />}
        {preview.data && isBlocked && <DeletionObstacles preview={preview.data} />}
        <ErrorMessage error={preview.error ?? remove.error} />
        <Button
          color="danger"
          fullWidth
          disabled={!preview.data || isBlocked}
          loading={remove.isPending}
          onClick={() => remove.mutate({ token })}
        >
          {t('deletion.submit')}
        </Button>
        <ButtonLink to="/" variant="default" fullWidth>
          {t('common.cancel')}
        </ButtonLink>
      </Stack>
    </AuthLayout>
  )
}
