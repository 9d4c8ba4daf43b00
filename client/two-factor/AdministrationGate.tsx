import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { trpc } from '../app/trpc.ts'
import { FactorGate } from './FactorGate.tsx'

/** Wraps the screens of administrators, who need a second factor. */
export function AdministrationGate() {
  const { t } = useTranslation()
  const [{ isRequired, isConfirmed }, { refetch }] = trpc.twoFactor.status.useSuspenseQuery()
  if (!isRequired || isConfirmed) return <Outlet />
  return <FactorGate why={t('twoFactor.gateAdmin')} onConfirmed={() => void refetch()} />
}
