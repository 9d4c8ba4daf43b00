import { useEffect, useRef } from 'react'
import { forgetSession, userKey } from '../api/query-client.ts'

/**
 * Keeps all tabs of a browser on the same user. A tab opened for another user would show that user's data, and send its
 * input to the new user's account. It is reloaded when another tab, or the server, reports a different user.
 */
export function useSameUser(userId: string | undefined): void {
  const firstId = useRef<string>(undefined)
  useEffect(() => {
    if (userId === undefined) return undefined
    if (firstId.current !== undefined && firstId.current !== userId) {
      location.reload()
      return undefined
    }
    firstId.current = userId
    const listen = ({ key, newValue }: StorageEvent) => {
      if (key !== userKey || newValue === userId) return
      if (newValue === null) forgetSession()
      else location.reload()
    }
    globalThis.addEventListener('storage', listen)
    return () => globalThis.removeEventListener('storage', listen)
  }, [userId])
}
