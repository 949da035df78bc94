import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followExecution, readExecution } from '../../api/execution-events.ts'
import { isEnded } from '../../api/executions.ts'

/** An execution and its steps: loaded once, then updated by events until it ends. */
export function useExecution(executionId: string) {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['execution', executionId, 'live'],
    queryFn: ({ signal }) => readExecution(executionId, signal),
    staleTime: 60_000,
  })
  const isOpen = query.data !== undefined && !isEnded(query.data.execution)
  useEffect(() => {
    if (!isOpen) return
    return followExecution(executionId, {
      onChange: (live) => queryClient.setQueryData(['execution', executionId, 'live'], live),
    })
  }, [isOpen, executionId, queryClient])
  return query
}
