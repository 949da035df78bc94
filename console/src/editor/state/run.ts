/** The run of the draft that the editor shows: its execution, its steps as they arrive, and the values of the run form. */

import type { QueryClient } from '@tanstack/react-query'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiError } from '../../api/client.ts'
import { followNewExecution, type LiveExecution } from '../../api/execution-events.ts'
import { cancelExecution, executeDraft, isEnded } from '../../api/executions.ts'
import type { Execution, Step } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin } from '../document/path.ts'
import { changedNodes } from '../document/stale.ts'
import type { DocumentStore } from './document-store.ts'
import { type NodeRun, nodeRuns } from './node-runs.ts'
import { changedParameters, declaredValues } from './parameter-values.ts'

export interface RunState {
  /** The values of the run form, for the next run. */
  values: ParameterValues
  execution: Execution | undefined
  steps: readonly Step[]
  /** Node id -> its part of the run. */
  nodes: ReadonlyMap<string, NodeRun>
  /** The output of the previous run, to compare. */
  previousUrl: string | undefined
  /** From the click until the execution ends. */
  isRunning: boolean
  /** Why no execution started, such as invalid parameters. */
  problem: Error | undefined
  setValues(values: ParameterValues): void
  /** Runs the current draft, up to its output or up to `node`. */
  start(options?: { node?: string }): void
  cancel(): void
  /** Closes the connection that receives the steps. */
  disconnect(): void
}

export type RunStore = StoreApi<RunState>

export interface RunOptions {
  workflowId: string
  document: DocumentStore
  /** Saves the draft. The service runs the saved draft, or the newest version if there is none. */
  flush(): Promise<void>
  queryClient: QueryClient
}

/** The input of the last run, to find out which nodes changed since. */
interface Started {
  document: WorkflowDocument
  values: ParameterValues
}

export function createRunStore({ workflowId, document: store, flush, queryClient }: RunOptions): RunStore {
  return createStore<RunState>((set, get) => {
    let started: Started | undefined
    let live: LiveExecution | undefined
    let disconnect = () => {}

    function currentNodes(): Map<string, NodeRun> {
      const { document } = store.getState()
      const stale =
        started && changedNodes(started.document, document, changedParameters(document, started.values, get().values))
      return nodeRuns(live, stale, started?.document.nodes)
    }
    function show(next: LiveExecution): void {
      live = next
      const { execution, steps } = next
      set({ execution, steps, nodes: currentNodes(), isRunning: !isEnded(execution) })
    }
    async function start({ node }: { node?: string } = {}): Promise<void> {
      set({ isRunning: true, problem: undefined })
      try {
        await flush()
        const { document } = store.getState()
        const { values } = get()
        const { executionId } = await executeDraft(workflowId, {
          parameters: declaredValues(document, values),
          previews: true,
          ...(node === undefined ? {} : { node }),
        })
        set(({ execution, previousUrl }) => ({ previousUrl: execution?.output?.url ?? previousUrl }))
        started = { document, values }
        disconnect()
        disconnect = followNewExecution(
          queryClient,
          { executionId, workflowId },
          { onChange: show, onError: (error) => set({ problem: error as Error }) },
        )
      } catch (error) {
        set({ problem: error as Error, isRunning: live !== undefined && !isEnded(live.execution) })
        const [first] = error instanceof ApiError ? error.issues : []
        if (first !== undefined && !isWithin(first.path, 'parameters')) store.getState().focusOn(first.path)
      }
    }

    store.subscribe((now, before) => {
      if (started !== undefined && now.document !== before.document) set({ nodes: currentNodes() })
    })
    return {
      values: {},
      execution: undefined,
      steps: [],
      nodes: new Map(),
      previousUrl: undefined,
      isRunning: false,
      problem: undefined,
      setValues(values) {
        set({ values })
        if (started !== undefined) set({ nodes: currentNodes() })
      },
      start: (options) => void start(options),
      cancel() {
        if (live !== undefined)
          cancelExecution(live.execution.executionId).catch((error: Error) => set({ problem: error }))
      },
      disconnect: () => disconnect(),
    }
  })
}
