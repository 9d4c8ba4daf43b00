import { Outlet } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { NoAccess } from '../ui/PageStates.tsx'
import { RequireSecondFactor } from './RequireSecondFactor.tsx'

/** Wraps the screens of administrators, who need a second factor. Other users are told that they have no access. */
export function AdministrationLayout() {
  const [current] = trpc.session.get.useSuspenseQuery()
  return current?.user.role === 'admin' ? <Screens /> : <NoAccess />
}

function Screens() {
  const { t } = useTranslation()
  const [{ isRequired, isConfirmed }, { refetch }] = trpc.twoFactor.status.useSuspenseQuery()
  if (!isRequired || isConfirmed) return <Outlet />
  return <RequireSecondFactor reason={t('twoFactor.requiredForAdministrators')} onConfirmed={() => void refetch()} />
}
