import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { followNewExecution, type LiveExecution, type NewExecution } from '../../api/execution-events.ts'

interface UseLiveExecution {
  /** The current state of the followed execution. */
  live: LiveExecution | undefined
  /** Follows this execution instead of the one before. */
  follow(started: NewExecution): void
}

/** Follows one execution by its events until the component unmounts. */
export function useLiveExecution(onError: (error: Error) => void): UseLiveExecution {
  const queryClient = useQueryClient()
  const [live, setLive] = useState<LiveExecution>()
  const stop = useRef<() => void>(undefined)
  const newestOnError = useRef(onError)
  newestOnError.current = onError
  useEffect(() => () => stop.current?.(), [])
  const follow = useCallback(
    (started: NewExecution) => {
      stop.current?.()
      stop.current = followNewExecution(queryClient, started, {
        onChange: setLive,
        onError: (error) => newestOnError.current(error as Error),
      })
    },
    [queryClient],
  )
  return { live, follow }
}
