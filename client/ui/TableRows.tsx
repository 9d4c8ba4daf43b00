import { Checkbox, Skeleton, VisuallyHidden } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useTranslation } from '../language/translation.ts'
import { SortIcon } from './screen-icons.tsx'
import type { DataTableProps, Table } from './use-table-rows.ts'
import classes from './DataTable.module.css'

/** Shown in a cell without a value. Cards on a phone omit it. */
const nothing = '—'

type HeadProps<Row extends object> = Pick<DataTableProps<Row>, 'selection' | 'sorting'> & { table: Table<Row> }

export function Head<Row extends object>({ table, selection, sorting }: HeadProps<Row>) {
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
                indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
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

export function BodyRow<Row extends object>({ row, columns, selection, onOpen }: BodyRowProps<Row>) {
  const { t } = useTranslation()
  return (
    <tr
      data-selected={row.getIsSelected()}
      data-opens={onOpen !== undefined}
      onClick={onOpen && ((event) => isOnRow(event) && onOpen(row.original))}
    >
      {selection && (
        <td className={classes.check}>
          {row.getCanSelect() && (
            <Checkbox
              size="sm"
              aria-label={t('table.select', { name: selection.nameOf(row.original) })}
              checked={row.getIsSelected()}
              onChange={row.getToggleSelectedHandler()}
            />
          )}
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

export function LoadingRows({ width, label }: { width: number; label: string }) {
  return Array.from({ length: 5 }, (_, at) => (
    <tr key={at} className="appears-late">
      <td colSpan={width}>
        {at === 0 && <output aria-label={label} />}
        <Skeleton height={12} width={`${70 - at * 9}%`} radius="sm" />
      </td>
    </tr>
  ))
}
