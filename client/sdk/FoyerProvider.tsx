import { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Foyer } from './index.ts'
import { type Language, type Texts, textsFor } from './texts.ts'

type Provided = { foyer: Foyer; queryClient: QueryClient; texts: Texts }

const caches = new WeakMap<Foyer, QueryClient>()

function cacheOf(foyer: Foyer): QueryClient {
  const known = caches.get(foyer)
  if (known) return known
  const cache = new QueryClient()
  caches.set(foyer, cache)
  return cache
}

const FoyerContext = createContext<Provided | undefined>(undefined)

export type FoyerProviderProps = {
  /** Created with `createFoyer`, outside the component. */
  client: Foyer
  /** Language of the components' own texts. By default that of the page, then that of the browser. */
  language?: Language
  children?: ReactNode
}

/**
 * Provides the hooks and components below it with their client. Its cache is separate from the application's own React
 * Query cache.
 */
export function FoyerProvider({ client, language, children }: FoyerProviderProps) {
  // One cache per client: a switch below one provider is visible below another. On a server, each rendering has its
  // own.
  const [ofRendering] = useState(() => new QueryClient())
  const queryClient = typeof window === 'undefined' ? ofRendering : cacheOf(client)
  // Only a mounted cache reacts when the window gets the focus or the connection is restored.
  useEffect(() => {
    queryClient.mount()
    return () => queryClient.unmount()
  }, [queryClient])
  const provided = useMemo(
    () => ({ foyer: client, queryClient, texts: textsFor(language ? [language] : pageLanguages()) }),
    [client, queryClient, language],
  )
  return <FoyerContext value={provided}>{children}</FoyerContext>
}

export function useProvided(): Provided {
  const provided = useContext(FoyerContext)
  if (!provided) throw new Error('Put <FoyerProvider client={foyer}> around the components and hooks of Foyer.')
  return provided
}

/** The client passed to the provider. */
export function useFoyer(): Foyer {
  return useProvided().foyer
}

function pageLanguages(): string[] {
  if (typeof document === 'undefined') return []
  return [document.documentElement.lang, ...navigator.languages].filter((tag) => tag !== '')
}
