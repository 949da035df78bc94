/** An execution as it goes on, by the server's events: a snapshot, then each change, from where the connection broke off. */
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

/** As it stands after an event. Of what came before the first snapshot nothing is known. */
export function afterEvent(before: LiveExecution | undefined, event: ExecutionEvent): LiveExecution | undefined {
  if (event.type === 'snapshot') return { execution: event.execution, steps: event.steps }
  if (before === undefined) return undefined
  if (event.type === 'step') {
    const others = before.steps.filter(({ node }) => node !== event.step.node)
    return { ...before, steps: [...others, event.step] }
  }
  // Begun again by another worker: nothing is left of the first attempt.
  const steps = event.execution.status === 'pending' ? [] : before.steps
  return { execution: { ...before.execution, ...event.execution }, steps }
}

interface Listener {
  onChange(live: LiveExecution): void
  /** It cannot be followed; what was told so far stays. */
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
  // The end is told by the record, which has all of it: what the calls of models cost, among others.
  const finish = () => {
    source.close()
    readExecution(executionId, aborted.signal).then(onChange, (error) => aborted.signal.aborted || onError?.(error))
  }
  source.addEventListener('snapshot', ({ data }) => handleEvent({ type: 'snapshot', ...JSON.parse(data) }))
  source.addEventListener('step', ({ data }) => handleEvent({ type: 'step', step: JSON.parse(data) }))
  source.addEventListener('execution', ({ data }) => handleEvent({ type: 'execution', execution: JSON.parse(data) }))
  // A connection that breaks off is opened again by the browser; one that is refused is not.
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
