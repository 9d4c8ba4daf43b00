import { Button } from '@mantine/core'
import { useTranslation } from '../language/translation.ts'
import classes from './DataTable.module.css'

/** Numbered pages: `page` starts at 1. */
export type Paging = { page: number; size: number; total: number; onPage: (page: number) => void }

export function Pages({ page, size, total, onPage }: Paging) {
  const { t } = useTranslation()
  const last = Math.ceil(total / size)
  return (
    <nav className={classes.foot} aria-label={t('table.pages')}>
      <span>{t('table.range', { from: (page - 1) * size + 1, to: Math.min(page * size, total), total })}</span>
      <span className={classes.turn}>
        <Button size="sm" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {t('table.previous')}
        </Button>
        <Button size="sm" variant="default" disabled={page >= last} onClick={() => onPage(page + 1)}>
          {t('table.next')}
        </Button>
      </span>
    </nav>
  )
}
