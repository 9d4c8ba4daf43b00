import { pageSize, type TableSearch } from './search.ts'

type TableOptions<Sort extends string> = {
  /** The search parameters of the URL. */
  search: TableSearch
  /** Columns that the server sorts by, the first one if the URL names none. */
  sorts: readonly [Sort, ...Sort[]]
  /** The order if the URL names none. */
  descending?: boolean
  /**
   * Changes the URL. Typing replaces the current entry of the browser's history; any other change adds one, for "Back".
   */
  onChange: (changed: Record<string, unknown>, isTyped: boolean) => void
}

/** The input of a table's query, and its sort and page controls. Sort and page are kept in the URL. */
export function tableState<Sort extends string>({ search, sorts, descending = false, onChange }: TableOptions<Sort>) {
  const { sort: named, desc = descending, page = 1 } = search
  const sort = sorts.find((name) => name === named) ?? sorts[0]
  // Another filter or order starts at the first page.
  const change = (changed: Record<string, unknown>, isTyped: boolean) =>
    onChange({ page: undefined, ...changed }, isTyped)
  const updateSearch = (changed: Record<string, unknown>) => change(changed, false)
  return {
    setSearch: (q: string) => change({ q: q || undefined }, true),
    queryInput: { sort, descending: desc, limit: pageSize, offset: (page - 1) * pageSize },
    setFilters: updateSearch,
    sorting: {
      sort,
      descending: desc,
      onSort: (next: { sort: string; descending: boolean }) => updateSearch({ sort: next.sort, desc: next.descending }),
    },
    pagingOf: (total: number | undefined) => ({
      page,
      size: pageSize,
      total: total ?? 0,
      onPage: (next: number) => updateSearch({ page: next === 1 ? undefined : next }),
    }),
  }
}
