import { useEffect, useState } from 'react'
import { useTranslation } from '../language/translation.ts'
import classes from './Strength.module.css'

/** Maximum number of characters that are scored: 200 characters would take 120 ms. */
const maxScoredLength = 100

/** Password strength as text and a five-step meter. The estimator (230 kB) is loaded on the first keystroke. */
export function Strength({ password }: { password: string }) {
  const { t } = useTranslation()
  const [score, setScore] = useState<number>()
  useEffect(() => {
    let isCurrent = true
    async function updateScore(): Promise<void> {
      const { scoreOf } = await import('./strength.ts')
      if (isCurrent) setScore(scoreOf(password.slice(0, maxScoredLength)))
    }
    if (password !== '') void updateScore()
    return () => {
      isCurrent = false
    }
  }, [password])
  const labels = [t('strength.s0'), t('strength.s1'), t('strength.s2'), t('strength.s3'), t('strength.s4')]
  // The row is always there: if it appeared with the first score, it would move the button that the user is about to
  // click.
  return (
    <div className={classes.strength}>
      {password !== '' && score !== undefined && (
        <>
          <span className={classes.steps} data-score={score} aria-hidden="true">
            {labels.map((word, step) => (
              <span key={word} data-reached={step <= score} />
            ))}
          </span>
          <output className={classes.word} aria-label={t('strength.label')}>
            {labels[score]}
          </output>
        </>
      )}
    </div>
  )
}
