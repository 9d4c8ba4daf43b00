import { Button, NativeSelect } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from '../language/translation.ts'
import { Empty } from './Empty.tsx'
import { ErrorCard } from './ErrorCard.tsx'
import { ChevronIcon } from './icons.tsx'
import { Pages, type Paging } from './TablePages.tsx'
import { BodyRow, Head, LoadingRows } from './TableRows.tsx'
import { type DataTableProps, useRows } from './use-table-rows.ts'
import classes from './DataTable.module.css'

/** Leaves a page whose last row was removed. True while it is left. */
function useLastPage(rows: readonly object[] | undefined, paging: Paging | undefined): boolean {
  const lastPage = paging && rows?.length === 0 && paging.total > 0 ? Math.ceil(paging.total / paging.size) : undefined
  const isBeyond = lastPage !== undefined && paging !== undefined && paging.page > lastPage
  const toPage = paging?.onPage
  useEffect(() => {
    if (isBeyond) toPage?.(lastPage)
  }, [isBeyond, lastPage, toPage])
  return isBeyond
}

/** A table with sorting, selection and pages; on a phone each row is a card. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, error, onTryAgain, sorting, selection, toolbar, empty, paging, more } = props
  const { t } = useTranslation()
  const isBeyond = useLastPage(rows, paging)
  const table = useRows(props)
  if (error && rows === undefined) return <ErrorCard error={error} onTryAgain={onTryAgain} />
  return (
    <div className={classes.card}>
      {(toolbar !== undefined || sorting) && (
        <div className={classes.bar} data-only-sorts={toolbar === undefined}>
          {toolbar}
          {sorting && <SortChoice columns={columns} sorting={sorting} />}
        </div>
      )}
      <div className={classes.scroll}>
        <table className={classes.table} aria-label={label} aria-busy={rows === undefined}>
          <Head {...props} table={table} />
          <tbody>
            {rows === undefined && (
              <LoadingRows width={columns.length + (selection ? 1 : 0)} label={t('common.loading')} />
            )}
            {table.getRowModel().rows.map((row) => (
              <BodyRow key={row.id} {...props} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {rows?.length === 0 && !isBeyond && (
        <div className={classes.empty}>{typeof empty === 'string' ? <Empty text={empty} /> : empty}</div>
      )}
      {error && rows !== undefined ? <ErrorCard error={error} onTryAgain={onTryAgain} /> : null}
      {paging && paging.total > paging.size && <Pages {...paging} />}
      {more && (
        <div className={classes.foot}>
          <Button size="sm" variant="default" loading={more.isLoading} onClick={more.onMore}>
            {t('common.more')}
          </Button>
        </div>
      )}
    </div>
  )
}

type SortChoiceProps<Row extends object> = Required<Pick<DataTableProps<Row>, 'columns' | 'sorting'>>

/** Sorts on a phone, where the heads of the columns are not shown. */
function SortChoice<Row extends object>({ columns, sorting }: SortChoiceProps<Row>) {
  const { t } = useTranslation()
  return (
    <NativeSelect
      className={classes.sortChoice ?? ''}
      aria-label={t('table.sortBy')}
      rightSection={<ChevronIcon />}
      value={`${sorting.descending ? '-' : '+'}${sorting.sort}`}
      data={columns
        .filter(({ sorts }) => sorts !== undefined)
        .flatMap(({ id, head }) => [
          { value: `+${id}`, label: `↑ ${head}` },
          { value: `-${id}`, label: `↓ ${head}` },
        ])}
      onChange={({ currentTarget: { value } }) =>
        sorting.onSort({ sort: value.slice(1), descending: value.startsWith('-') })
      }
    />
  )
}
