import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { type ErrorComponentProps, useLocation, useMatches } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import { statusOf } from '../api/call-errors.ts'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { Heading } from './AuthLayout.tsx'
import { ErrorCard } from './ErrorCard.tsx'
import { ButtonLink } from './links.tsx'
import { Page } from './Page.tsx'
import { SectionName } from './section-name.ts'
import { Section } from './Section.tsx'
import { useFailure } from './use-failure.ts'
import classes from './PageStates.module.css'

// The states of the screens inside the app shell, which loads them.

/**
 * Error screen inside the app shell; header and navigation stay mounted. Missing or forbidden pages are not retried.
 */
export function PageError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const { reason, retry } = useFailure({ error, reset })
  const status = statusOf(error)
  const { pathname } = useLocation()
  if (status === 403) return <NoAccess reason={reason} />
  if (status === 404) return <PageNotFound />
  return (
    <Page title={t('failure.title')}>
      <ErrorCard error={error} onTryAgain={retry} />
      {pathname !== '/' && (
        <ButtonLink to="/" variant="default">
          {t('common.toHome')}
        </ButtonLink>
      )}
    </Page>
  )
}

/** For users who may not open a screen. */
export function NoAccess({ reason }: { reason?: string }) {
  const { t } = useTranslation()
  return (
    <Page title={t('failure.noAccess')} description={reason}>
      <ButtonLink to="/" variant="default">
        {t('common.toHome')}
      </ButtonLink>
    </Page>
  )
}

/** Error state for a section of a screen (see `SectionedPage`). */
export function CardsError({ error, reset }: ErrorComponentProps) {
  const { retry } = useFailure({ error, reset })
  const title = use(SectionName)
  return (
    <Section isBare {...(title !== undefined && { title })}>
      <ErrorCard error={error} onTryAgain={retry} />
    </Section>
  )
}

/** Loading state for a section of a screen, under its name. */
export function SectionLoading() {
  const title = use(SectionName)
  return (
    <Section isBare {...(title !== undefined && { title })}>
      <CardsLoading />
    </Section>
  )
}

/** Skeletons of cards. */
export function CardsLoading() {
  const { t } = useTranslation()
  return (
    <Stack component="output" aria-label={t('common.loading')} gap="md" className="appears-late">
      <Skeleton height={140} radius="md" />
      <Skeleton height={140} radius="md" />
    </Stack>
  )
}

/** Skeleton shown while a screen inside the app shell loads. */
export function PageLoading({ isWide = false }: { isWide?: boolean }) {
  return (
    <LoadingPage width={isWide ? 1080 : 860}>
      <Skeleton height={140} radius="md" />
      <Skeleton height={140} radius="md" />
    </LoadingPage>
  )
}

/** Skeleton of a screen as wide as a table. */
export function WidePageLoading() {
  return <PageLoading isWide />
}

/** Skeleton of a screen with a table: heading, filters, rows. */
export function TableLoading() {
  return (
    <LoadingPage width={1080}>
      <div className={classes.rows}>
        <Skeleton height={36} width={240} radius="md" />
        {Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} height={12} width={`${70 - at * 8}%`} radius="sm" />
        ))}
      </div>
    </LoadingPage>
  )
}

/** The heading is known where the route names it (`staticData`). */
function LoadingPage({ width, children }: { width: number; children: ReactNode }) {
  const { t } = useTranslation()
  const title = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  })
  return (
    <Stack component="output" aria-label={t('common.loading')} gap="md" w="100%" maw={width} className="appears-late">
      <title>{[t('common.loading'), brand.product].join(' · ')}</title>
      {title === undefined ? (
        <>
          <VisuallyHidden component="h1">{t('common.loading')}</VisuallyHidden>
          <Skeleton height={34} width={220} radius="sm" />
        </>
      ) : (
        <div className={classes.heading}>
          <Heading isComplete={false}>{t(title)}</Heading>
        </div>
      )}
      {children}
    </Stack>
  )
}

/** An unknown URL inside the app shell. */
export function PageNotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')} description={t('notFound.description')}>
      <ButtonLink to="/" variant="default">
        {t('common.toHome')}
      </ButtonLink>
    </Page>
  )
}
