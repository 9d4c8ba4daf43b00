import {
  type ColumnDef,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import type { Paging } from './TablePages.tsx'

// The server sorts, filters and pages; the table only keeps the displayed rows and the selection.
const features = tableFeatures({ rowSortingFeature, rowSelectionFeature })

/** A column of a table. Its id is the server's sort key, if it can be sorted. The head of `actions` is not shown. */
export type Column<Row> = {
  id: string
  head: string
  /** How the first click on the head sorts: text ascending, dates and numbers usually descending. */
  sorts?: 'ascending' | 'descending'
  cell: (row: Row) => ReactNode
}

type Sort = { sort: string; descending: boolean }

export type DataTableProps<Row extends object> = {
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
    isSelectable?: (row: Row) => boolean
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

const next = <Value>(updater: Updater<Value>, old: Value): Value =>
  typeof updater === 'function' ? (updater as (old: Value) => Value)(old) : updater

/** The rows as TanStack Table keeps them, with sorting and selection as the caller holds them. */
export function useRows<Row extends object>({ columns, rows, rowId, sorting, selection }: DataTableProps<Row>) {
  const sortingState = sorting ? [{ id: sorting.sort, desc: sorting.descending }] : []
  const rowSelection: Record<string, true> = Object.fromEntries((selection?.ids ?? []).map((id) => [id, true]))
  return useTable({
    features,
    columns: useMemo(
      () =>
        columns.map(({ id, head, sorts, cell }): ColumnDef<typeof features, Row> => ({
          id,
          header: head,
          // Only a column with a value can be sorted. The value is known to the server.
          accessorFn: () => null,
          enableSorting: sorts !== undefined,
          sortDescFirst: sorts === 'descending',
          cell: ({ row }) => cell(row.original),
        })),
      [columns],
    ),
    data: useMemo(() => [...(rows ?? [])], [rows]),
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    enableRowSelection: (row) => selection?.isSelectable?.(row.original) ?? true,
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

export type Table<Row extends object> = ReturnType<typeof useRows<Row>>
