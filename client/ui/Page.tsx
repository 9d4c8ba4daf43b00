import { useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { trpc } from '../api/trpc.ts'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { Heading } from './AuthLayout.tsx'
import classes from './Page.module.css'

type PageProps = {
  /** The heading, and the start of the document's title. */
  title: string
  description?: ReactNode
  /** Buttons next to the heading. */
  actions?: ReactNode
  /** For tables: the content takes 1080 pixels instead of 860. */
  isWide?: boolean
  children: ReactNode
}

/** A screen inside the app shell. The document's title names its organization: "Members · Acme · Foyer", or the
 * administration. */
export function Page({ title, description, actions, isWide = false, children }: PageProps) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const organization = useOrganizationName()
  // The overview of the administration has the title of all of it.
  const place = pathname.startsWith('/admin/') ? t('common.administration') : organization
  return (
    <div className={classes.page} data-wide={isWide}>
      <title>{[title, place, brand.product].filter(Boolean).join(' · ')}</title>
      <div className={classes.head}>
        <div className={classes.text}>
          <Heading>{title}</Heading>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** The organization of the URL, if it has been loaded. */
function useOrganizationName(): string | undefined {
  const { slug } = useParams({ strict: false })
  return trpc.organization.get.useQuery({ slug: slug ?? '' }, { enabled: slug !== undefined }).data?.name
}
