import { Anchor } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthIllustration } from './AuthIllustration.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Logo } from './Logo.tsx'
import { SchemeMenu } from './SchemeMenu.tsx'
import classes from './AuthLayout.module.css'

/** Layout of signed-out screens: form on the left, illustration on the right on wide screens. */
export function AuthLayout({
  title,
  emblem,
  description,
  children,
  footer,
}: {
  title: string
  /** The picture of the application or organization that the screen is about, above the title. */
  emblem?: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}) {
  const { t } = useTranslation()
  useKeptFocus()
  return (
    <div className={classes.layout}>
      <title>{`${title} · ${brand.product}`}</title>
      <div className={classes.formColumn}>
        <main className={classes.form}>
          <div className={classes.brand}>
            <Logo />
          </div>
          {emblem !== undefined && <div className={classes.emblem}>{emblem}</div>}
          <Heading>{title}</Heading>
          {description !== undefined && <div className={classes.description}>{description}</div>}
          {children}
          {footer !== undefined && <div className={classes.footer}>{footer}</div>}
        </main>
        <footer className={classes.menuRow}>
          <LanguageMenu />
          <SchemeMenu />
          {brand.supportEmail !== '' && (
            <Anchor href={`mailto:${brand.supportEmail}`} c="dimmed" fz={13.5}>
              {t('common.support')}
            </Anchor>
          )}
        </footer>
      </div>
      <div className={classes.illustration}>
        <AuthIllustration />
      </div>
    </div>
  )
}

/**
 * The h1 of a screen. Receives focus after navigation, so that screen readers announce it, unless the screen is not
 * complete.
 */
export function Heading({ children, isComplete = true }: { children: string; isComplete?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (isComplete && isFree) heading.current?.focus()
  }, [isComplete])
  return (
    <h1 ref={heading} tabIndex={-1} className={classes.title}>
      {children}
    </h1>
  )
}
