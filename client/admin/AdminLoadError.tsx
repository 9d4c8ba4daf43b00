import { refusalOf } from '../api/call-errors.ts'
import { useTranslation } from '../language/translation.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page } from '../ui/Page.tsx'

type AdminLoadErrorProps = {
  title: string
  error: unknown
  /** The refusal that says that it no longer exists: then the list is offered instead of another attempt. */
  missing: 'ADMIN_USER_NOT_FOUND' | 'ORGANIZATION_NOT_FOUND' | 'PAYMENT_NOT_FOUND'
  list: '/admin/users' | '/admin/organizations' | '/admin/payments'
  listName: string
  onTryAgain: () => void
}

/** A screen about one user, organization or payment that could not be loaded. */
export function AdminLoadError({ title, error, missing, list, listName, onTryAgain }: AdminLoadErrorProps) {
  const { t } = useTranslation()
  const toList = (
    <ButtonLink to={list} variant="default">
      {listName}
    </ButtonLink>
  )
  return (
    <Page title={title} isWide>
      {refusalOf(error) === missing ? (
        <Empty text={t(`refusal.${missing}`)} action={toList} />
      ) : (
        <>
          <ErrorCard error={error} onTryAgain={onTryAgain} />
          {toList}
        </>
      )}
    </Page>
  )
}
