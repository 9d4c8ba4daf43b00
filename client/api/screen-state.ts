import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../../server/router.ts'

/** States in which the gallery shows a screen, in addition to the one that results from the data. */
export const screenStates = ['loading', 'failed', 'offline', 'empty'] as const
export type ScreenState = (typeof screenStates)[number]

/** Queries that every screen depends on: they are answered in every state. */
const answeredAlways = new Set(['session.get', 'session.options', 'organization.get'])

/** The administration depends on the second factor, which other screens show. */
function isAnsweredAlways(query: string): boolean {
  return answeredAlways.has(query) || (query === 'twoFactor.status' && location.pathname.startsWith('/admin'))
}

/** Whether the gallery is available, which is only the case on a developer's machine. */
export function hasGallery(): boolean {
  return typeof location === 'object' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)
}

/** The state requested by the gallery, which its links pass in the name of the window. */
export function requestedState(): ScreenState | undefined {
  return hasGallery() ? screenStates.find((state) => window.name === `screen-${state}`) : undefined
}

/** Makes the queries of every screen hang, fail or return no data. */
export function screenStateLink(state: ScreenState): TRPCLink<AppRouter> {
  if (state === 'offline') Object.defineProperty(navigator, 'onLine', { get: () => false })
  return () =>
    ({ op, next }) => {
      if (op.type !== 'query' || isAnsweredAlways(op.path)) return next(op)
      return observable((observer) => {
        if (state === 'loading') return undefined
        if (state !== 'empty') {
          observer.error(new TRPCClientError('made to fail by the gallery'))
          return undefined
        }
        return next(op).subscribe({
          ...observer,
          next: (answer) => {
            const { result } = answer
            const isData = result.type === undefined || result.type === 'data'
            observer.next(isData ? { ...answer, result: { ...result, data: emptied(result.data) } } : answer)
          },
        })
      })
    }
}

/** An answer without rows: all of its lists are empty. */
function emptied(data: unknown): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? [] : value]))
}
