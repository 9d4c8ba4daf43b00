import type { Outputs } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ButtonLink } from '../ui/links.tsx'
import classes from './DeletionObstacles.module.css'

type DeletionPreview = Outputs['account']['previewDeletion']

/** Whether something has to be done before the account can be deleted. */
export function isDeletionBlocked(preview: DeletionPreview | undefined): boolean {
  return preview !== undefined && preview.organizationsWithoutOtherOwner.length + preview.subscriptions.length > 0
}

/** Lists what has to be done before the account can be deleted. */
export function DeletionObstacles({ preview }: { preview: DeletionPreview }) {
  const { t } = useTranslation()
  const named = preview.subscriptions.map(({ productId, productName, slug }) => {
    const product = productName ?? productId
    return { name: slug === null ? product : `${product} (${slug})`, slug }
  })
  // Several subscriptions to the same product are shown as one line.
  const obstacles = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) === at)
  return (
    <div role="alert">
      <ul className={classes.obstacles}>
        {preview.organizationsWithoutOtherOwner.map(({ slug, name }) => (
          <li key={slug}>
            <span className={classes.text}>{t('deletion.needsOtherOwner', { name })}</span>
            <ButtonLink to="/o/$slug/settings/danger" params={{ slug }} variant="default" size="sm">
              {t('deletion.transfer')}
            </ButtonLink>
          </li>
        ))}
        {obstacles.map(({ name, slug }) => {
          return (
            <li key={name}>
              <span className={classes.text}>{t('deletion.subscription', { name })}</span>
              {slug === null ? (
                <ButtonLink to="/billing" variant="default" size="sm">
                  {t('deletion.toBilling')}
                </ButtonLink>
              ) : (
                <ButtonLink to="/o/$slug/billing" params={{ slug }} variant="default" size="sm">
                  {t('deletion.toBilling')}
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
