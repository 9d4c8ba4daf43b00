import { useTranslation } from 'react-i18next'
import type { GrantScope } from '../../shared/oauth.ts'
import classes from './Scopes.module.css'

/** What an application may read, in words. */
export function Scopes({ scopes }: { scopes: readonly GrantScope[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.scopes}>
      {scopes.map((scope) => (
        <li key={scope}>{t(`scope.${scope}`)}</li>
      ))}
    </ul>
  )
}
