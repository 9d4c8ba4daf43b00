import { Link, type LinkProps, useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Heading } from './AuthLayout.tsx'
import { SectionLoading } from './PageStates.tsx'
import { SectionName } from './section-name.ts'
import fading from './Fading.module.css'
import classes from './SectionedPage.module.css'

type SectionedPageProps = {
  title: string
  /** A link above the title. */
  back?: ReactNode
  sections: readonly { name: string; link: LinkProps }[]
  children: ReactNode
}

/** A screen with several sections: a sub-navigation, and one URL for each section. */
export function SectionedPage({ title, back, sections, children }: SectionedPageProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const router = useRouter()
  const current = sections.find(({ link }) => router.buildLocation(link).pathname === pathname)
  // Beside little space, many sections are a row that scrolls.
  useEffect(() => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    links.find((link) => link.pathname === pathname)?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <div className={classes.page}>
      {back}
      <Heading>{title}</Heading>
      <div className={classes.columns}>
        <nav ref={list} className={`${classes.sections} ${fading.row}`} aria-label={t('common.sections')}>
          {sections.map(({ name, link }) => (
            <Link
              key={name}
              {...link}
              className={classes.entry}
              activeProps={{ 'aria-current': 'page' }}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {name}
            </Link>
          ))}
        </nav>
        <div className={classes.section}>
          <SectionName value={current?.name}>
            <Suspense fallback={<SectionLoading />}>{children}</Suspense>
          </SectionName>
        </div>
      </div>
    </div>
  )
}
