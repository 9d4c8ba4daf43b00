import { Button, Checkbox, NativeSelect, Skeleton, VisuallyHidden } from '@mantine/core'
import {
  type ColumnDef,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type Updater,
} from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from './Failed.tsx'
import { ChevronIcon, SortIcon } from './icons.tsx'
import classes from './DataTable.module.css'

// The server sorts, filters and pages; the table only keeps the displayed rows and the selection.
const features = tableFeatures({ rowSortingFeature, rowSelectionFeature })

/** Shown in a cell without a value. Cards on a phone omit it. */
const nothing = '—'

/** A column of a table. Its id is the server's sort key, if it can be sorted. The head of `actions` is not shown. */
export type Column<Row> = { id: string; head: string; canSort?: boolean; cell: (row: Row) => ReactNode }

export type Sort = { sort: string; descending: boolean }

type DataTableProps<Row extends object> = {
  /** Name of the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  error?: unknown
  onTryAgain?: () => void
  sorting?: Sort & { onSort: (sort: Sort) => void }
  selection?: {
    ids: readonly string[]
    onSelect: (ids: string[]) => void
    nameOf: (row: Row) => string
    isFree?: (row: Row) => boolean
  }
  /** Search and filters. */
  toolbar?: ReactNode
  /** Content of an empty table. */
  empty: ReactNode
  paging?: Paging
  /** For a list that only grows at its end, instead of numbered pages. */
  more?: { isLoading: boolean; onMore: () => void }
  /** Called on a click on a row, outside its controls. A control in the row must do the same. */
  onOpen?: ((row: Row) => void) | undefined
}

/** Numbered pages: `page` starts at 1. */
export type Paging = { page: number; size: number; total: number; onPage: (page: number) => void }

const next = <Value,>(updater: Updater<Value>, old: Value): Value =>
  typeof updater === 'function' ? (updater as (old: Value) => Value)(old) : updater

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

/** The rows as TanStack Table keeps them, with sorting and selection as the caller holds them. */
function useRows<Row extends object>({ columns, rows, rowId, sorting, selection }: DataTableProps<Row>) {
  const sortingState = sorting ? [{ id: sorting.sort, desc: sorting.descending }] : []
  const rowSelection: Record<string, true> = Object.fromEntries((selection?.ids ?? []).map((id) => [id, true]))
  return useTable({
    features,
    columns: useMemo(
      () =>
        columns.map(({ id, head, canSort = false, cell }): ColumnDef<typeof features, Row> => ({
          id,
          header: head,
          // Only a column with a value can be sorted. The value is known to the server.
          accessorFn: () => null,
          enableSorting: canSort,
          cell: ({ row }) => cell(row.original),
        })),
      [columns],
    ),
    data: useMemo(() => [...(rows ?? [])], [rows]),
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableRowSelection: (row) => selection?.isFree?.(row.original) ?? true,
    state: { sorting: sortingState, rowSelection },
    onSortingChange: (updater) => {
      const [first] = next(updater, sortingState)
      if (first) sorting?.onSort({ sort: first.id, descending: first.desc })
    },
    onRowSelectionChange: (updater) => {
      const chosen = next(updater, rowSelection)
      selection?.onSelect(Object.keys(chosen).filter((id) => chosen[id]))
    },
  })
}

type Table<Row extends object> = ReturnType<typeof useRows<Row>>

/** A table with sorting, selection and pages; on a phone each row is a card. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, error, onTryAgain, sorting, selection, toolbar, empty, paging, more } = props
  const { t } = useTranslation()
  const isBeyond = useLastPage(rows, paging)
  const table = useRows(props)
  if (error && rows === undefined) return <Failed error={error} onTryAgain={onTryAgain} />
  return (
    <div className={classes.card}>
      {(toolbar !== undefined || sorting) && (
        <div className={classes.bar} data-only-sorts={toolbar === undefined}>
          {toolbar}
          {sorting && <SortChoice columns={columns} sorting={sorting} />}
        </div>
      )}
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
      {rows?.length === 0 && !isBeyond && <div className={classes.empty}>{empty}</div>}
      {error && rows !== undefined ? <Failed error={error} onTryAgain={onTryAgain} /> : null}
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
      leftSection={<SortIcon />}
      rightSection={<ChevronIcon />}
      value={`${sorting.descending ? '-' : '+'}${sorting.sort}`}
      data={columns
        .filter(({ canSort }) => canSort)
        .flatMap(({ id, head }) => [
          { value: `+${id}`, label: `${head} ↑` },
          { value: `-${id}`, label: `${head} ↓` },
        ])}
      onChange={({ currentTarget: { value } }) =>
        sorting.onSort({ sort: value.slice(1), descending: value.startsWith('-') })
      }
    />
  )
}

type HeadProps<Row extends object> = Pick<DataTableProps<Row>, 'selection' | 'sorting'> & { table: Table<Row> }

function Head<Row extends object>({ table, selection, sorting }: HeadProps<Row>) {
  const { t } = useTranslation()
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {selection && (
            <th className={classes.check}>
              <Checkbox
                size="sm"
                aria-label={t('table.selectAll')}
                checked={table.getRowModel().rows.length > 0 && table.getIsAllRowsSelected()}
                indeterminate={table.getIsSomeRowsSelected()}
                onChange={table.getToggleAllRowsSelectedHandler()}
              />
            </th>
          )}
          {group.headers.map((header) => {
            const sorted = header.column.getIsSorted()
            const canSort = sorting !== undefined && header.column.getCanSort()
            return (
              <th
                key={header.id}
                scope="col"
                data-column={header.id}
                {...(canSort && {
                  'aria-sort': sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending',
                })}
              >
                {canSort ? (
                  <button type="button" className={classes.sort} onClick={header.column.getToggleSortingHandler()}>
                    <table.FlexRender header={header} />
                    <span className={classes.arrow} data-sorted={sorted}>
                      <SortIcon />
                    </span>
                  </button>
                ) : header.column.id === 'actions' ? (
                  <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

type BodyRowProps<Row extends object> = Pick<DataTableProps<Row>, 'columns' | 'selection' | 'onOpen'> & {
  row: ReturnType<Table<Row>['getRowModel']>['rows'][number]
}

function BodyRow<Row extends object>({ row, columns, selection, onOpen }: BodyRowProps<Row>) {
  const { t } = useTranslation()
  return (
    <tr
      data-selected={row.getIsSelected()}
      data-opens={onOpen !== undefined}
      onClick={onOpen && ((event) => isOnRow(event) && onOpen(row.original))}
    >
      {selection && (
        <td className={classes.check}>
          <Checkbox
            size="sm"
            aria-label={t('table.select', { name: selection.nameOf(row.original) })}
            checked={row.getIsSelected()}
            disabled={!row.getCanSelect()}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      )}
      {row.getAllCells().map((cell, at) => {
        const content = columns[at]?.cell(row.original)
        return (
          <td
            key={cell.id}
            data-column={cell.column.id}
            data-primary={at === 0}
            data-label={headOf(cell.column.columnDef.header)}
            data-empty={content === nothing}
          >
            {content}
          </td>
        )
      })}
    </tr>
  )
}

const headOf = (header: unknown): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined

/** A click on a link or control of the row is not a click on the row, and neither is the end of a text selection. */
function isOnRow({ target, defaultPrevented }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest('a, button, input, label, [role=menu]') !== null
  return !isControl && !defaultPrevented && (window.getSelection()?.toString() ?? '') === ''
}

function LoadingRows({ width, label }: { width: number; label: string }) {
  return Array.from({ length: 5 }, (_, at) => (
    <tr key={at} className="appears-late">
      <td colSpan={width}>
        {at === 0 && <output aria-label={label} />}
        <Skeleton height={12} width={`${70 - at * 9}%`} radius="sm" />
      </td>
    </tr>
  ))
}

function Pages({ page, size, total, onPage }: Paging) {
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
