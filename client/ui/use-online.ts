import { useEffect, useRef } from 'react'

/** Calls back when the browser is online again, so that failed content is loaded without a click. */
export function useOnline(callback: (() => void) | undefined): void {
  const latest = useRef(callback)
  useEffect(() => void (latest.current = callback), [callback])
  useEffect(() => {
    const call = () => latest.current?.()
    globalThis.addEventListener('online', call)
    return () => globalThis.removeEventListener('online', call)
  }, [])
}
