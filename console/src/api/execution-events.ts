/**
 * An execution while it runs, by server-sent events: a snapshot, then each change. A new connection continues after the
 * last event.
 */
import type { QueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { isEnded } from './executions.ts'
import type { Execution, Step } from './types.ts'

export interface LiveExecution {
  execution: Execution
  steps: readonly Step[]
}

export type ExecutionEvent =
  | { type: 'snapshot'; execution: Execution; steps: Step[] }
  | { type: 'step'; step: Step }
  | { type: 'execution'; execution: Partial<Execution> & Pick<Execution, 'status'> }

/** The state after an event; undefined before the first snapshot. */
export function afterEvent(before: LiveExecution | undefined, event: ExecutionEvent): LiveExecution | undefined {
  if (event.type === 'snapshot') return { execution: event.execution, steps: event.steps }
  if (before === undefined) return undefined
  if (event.type === 'step') {
    const others = before.steps.filter(({ node }) => node !== event.step.node)
    return { ...before, steps: [...others, event.step] }
  }
  // Another worker restarted it: the steps of the first attempt are gone.
  const steps = event.execution.status === 'pending' ? [] : before.steps
  // A completed execution has its output: the event has both.
  return { execution: { ...before.execution, ...event.execution } as Execution, steps }
}

interface Listener {
  onChange(live: LiveExecution): void
  /** Events can no longer be received. The last state stays valid. */
  onError?(error: unknown): void
}

/** Follows an execution until it has ended, or the returned function is called. */
export function followExecution(executionId: string, { onChange, onError }: Listener): () => void {
  const source = new EventSource(`/v1/workflows/executions/${executionId}/events`)
  const aborted = new AbortController()
  let live: LiveExecution | undefined
  const stop = () => {
    aborted.abort()
    source.close()
  }
  const handleEvent = (event: ExecutionEvent) => {
    live = afterEvent(live, event)
    if (live === undefined) return
    onChange(live)
    if (isEnded(live.execution)) finish()
  }
  // The final state comes from the record, which is complete: it also has the cost of the model calls.
  const finish = () => {
    source.close()
    readExecution(executionId, aborted.signal).then(onChange, (error) => aborted.signal.aborted || onError?.(error))
  }
  source.addEventListener('snapshot', ({ data }) => handleEvent({ type: 'snapshot', ...JSON.parse(data) }))
  source.addEventListener('step', ({ data }) => handleEvent({ type: 'step', step: JSON.parse(data) }))
  source.addEventListener('execution', ({ data }) => handleEvent({ type: 'execution', execution: JSON.parse(data) }))
  // The browser reconnects after a lost connection, but not after a refused one.
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) finish()
  })
  return stop
}

export type NewExecution = Pick<Execution, 'executionId' | 'workflowId'>

/** Follows an execution that was just started, and refreshes the lists of executions and workflows when it ends. */
export function followNewExecution(
  queryClient: QueryClient,
  { executionId, workflowId }: NewExecution,
  { onChange, onError }: Required<Listener>,
): () => void {
  onChange({ execution: { executionId, workflowId, status: 'pending' }, steps: [] })
  return followExecution(executionId, {
    onChange(live) {
      onChange(live)
      if (!isEnded(live.execution)) return
      void queryClient.invalidateQueries({ queryKey: ['executions'] })
      void queryClient.invalidateQueries({ queryKey: ['workflows'] })
    },
    onError,
  })
}

/** An execution and its steps, once. */
export async function readExecution(executionId: string, signal?: AbortSignal): Promise<LiveExecution> {
  const options = { params: { path: { executionId } }, ...(signal ? { signal } : {}) }
  const [execution, { steps }] = await Promise.all([
    unwrap(api.GET('/workflows/executions/{executionId}', options)),
    unwrap(api.GET('/workflows/executions/{executionId}/steps', options)),
  ])
  return { execution, steps }
}

/** The execution when it has ended. */
export function endedExecution(executionId: string, signal: AbortSignal): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const stop = followExecution(executionId, {
      onChange: ({ execution }) => isEnded(execution) && resolve(execution),
      onError: reject,
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
