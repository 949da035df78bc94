import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { followExecution, type LiveExecution } from '../../api/execution-events.ts'
import { isEnded } from '../../api/executions.ts'

interface Followed {
  /** The execution that is followed, as it stands. */
  live: LiveExecution | undefined
  /** Follows this one from now on. */
  follow(begun: { executionId: string; workflowId: string }): void
}

/** One execution at a time, by its events, for as long as the component stands. */
export function useFollowed(onError: (error: Error) => void): Followed {
  const queryClient = useQueryClient()
  const [live, setLive] = useState<LiveExecution>()
  const stop = useRef<() => void>(undefined)
  const tell = useRef(onError)
  tell.current = onError
  useEffect(() => () => stop.current?.(), [])
  const follow = useCallback(
    ({ executionId, workflowId }: { executionId: string; workflowId: string }) => {
      stop.current?.()
      setLive({ execution: { executionId, workflowId, status: 'pending' }, steps: [] })
      stop.current = followExecution(executionId, {
        onChange(now) {
          setLive(now)
          if (!isEnded(now.execution)) return
          void queryClient.invalidateQueries({ queryKey: ['executions'] })
          void queryClient.invalidateQueries({ queryKey: ['workflows'] })
        },
        onError: (error) => tell.current(error as Error),
      })
    },
    [queryClient],
  )
  return { live, follow }
}
