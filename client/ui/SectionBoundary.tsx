import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { createContext, type ReactNode, Suspense, use } from 'react'
import { ErrorCard } from './ErrorCard.tsx'
import { CardsLoading } from './PageStates.tsx'
import { Section } from './Section.tsx'

type SectionBoundaryProps = {
  /** The heading above the reason if the part fails. */
  title?: string
  /** Often empty: it takes no space until it has loaded. */
  isHiddenUntilLoaded?: boolean
  /** The screen is complete without it: it takes no space if it fails, either. */
  isOptional?: boolean
  children: ReactNode
}

const Title = createContext<string | undefined>(undefined)

/** A part of a screen that loads and fails on its own: the other parts stay usable. */
export function SectionBoundary({
  title,
  isOptional = false,
  isHiddenUntilLoaded = isOptional,
  children,
}: SectionBoundaryProps) {
  return (
    <Title value={title}>
      <CatchBoundary getResetKey={() => 'part'} errorComponent={isOptional ? Nothing : SectionError}>
        <Suspense fallback={isHiddenUntilLoaded ? null : <PartLoading />}>{children}</Suspense>
      </CatchBoundary>
    </Title>
  )
}

const Nothing = () => null

function PartLoading() {
  return (
    <Section isBare>
      <CardsLoading />
    </Section>
  )
}

function SectionError({ error, reset }: ErrorComponentProps) {
  const title = use(Title)
  const { reset: forgetErrors } = useQueryErrorResetBoundary()
  const again = () => {
    forgetErrors()
    reset()
  }
  return (
    <Section isBare {...(title !== undefined && { title })}>
      <ErrorCard error={error} onTryAgain={again} />
    </Section>
  )
}
