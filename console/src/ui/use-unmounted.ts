import { useCallback, useEffect, useRef } from 'react'

/** Returns the signal that is aborted when the component disappears. */
export function useUnmounted(): () => AbortSignal {
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    unmounted.current = controller
    return () => controller.abort()
  }, [])
  return useCallback(() => unmounted.current.signal, [])
}
