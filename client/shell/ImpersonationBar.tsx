import { Button } from '@mantine/core'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import classes from './ImpersonationBar.module.css'

/** Shows that an administrator acts as the user, names both, and has a button to stop. */
export function ImpersonationBar({ userId, userName }: { userId: string; userName: string }) {
  const { t } = useTranslation()
  const { data } = trpc.admin.impersonation.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY })
  const stop = trpc.admin.stopImpersonating.useMutation({
    // A full page load, so that no data of the user stays in memory. If the administrator's own session has ended, the
    // sign-in page is shown instead.
    onSuccess: () => location.assign(`/admin/users/${userId}`),
    onError: () => location.assign('/'),
  })
  return (
    <aside className={classes.bar} aria-label={t('users.impersonation')}>
      <span>{t('users.actingAs', { administrator: data?.administrator.name ?? '…', user: userName })}</span>
      <Button size="xs" variant="white" loading={stop.isPending || stop.isSuccess} onClick={() => stop.mutate()}>
        {t('users.stop')}
      </Button>
      <ErrorMessage error={stop.error} />
    </aside>
  )
}
