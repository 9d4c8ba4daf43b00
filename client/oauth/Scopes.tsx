import type { ConsentRequest } from '../../shared/oauth.ts'
import { useTranslation } from '../language/translation.ts'
import classes from './Scopes.module.css'

/** The permissions of an application, in words. */
export function Scopes({
  scopes,
  resources,
  organization,
}: Pick<ConsentRequest, 'scopes' | 'resources' | 'organization'>) {
  const { t } = useTranslation()
  return (
    <ul className={classes.scopes}>
      {scopes.map((scope) => (
        <li key={scope}>
          {scope === 'organization' && organization !== null
            ? t('scope.organizationNamed', { organization })
            : t(`scope.${scope}`)}
        </li>
      ))}
      {resources.map((resource) => (
        <li key={resource}>{t('scope.resource', { resource })}</li>
      ))}
    </ul>
  )
}
