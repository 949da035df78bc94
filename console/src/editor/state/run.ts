/** The run of the draft that the editor shows: its execution, its steps as they arrive, and the values of the run form. */

import type { QueryClient } from '@tanstack/react-query'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { issuesOf } from '../../api/client.ts'
import { followNewExecution, type LiveExecution, readExecution } from '../../api/execution-events.ts'
import { cancelExecution, executeDraft, isEnded, listExecutions } from '../../api/executions.ts'
import { missingImages, refetchMissing } from '../../api/images.ts'
import type { Catalogue } from '../../api/operations.ts'
import { keyOf, outputsOf } from '../../api/outputs.ts'
import type { Execution, Step, Validation } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { isWithin } from '../document/path.ts'
import type { DocumentStore } from './document-store.ts'
import { type NodeRun, nodeRuns } from './node-runs.ts'
import { createOffer } from './offers.ts'
import { declaredValues, imagesOf, valuesOf, withoutImages } from './parameter-values.ts'
import { declaredVariations, isOffer, withNewVariations } from './variations.ts'

export interface RunState {
  /** The values of the run form, for the next run. */
  values: ParameterValues
  execution: Execution | undefined
  steps: readonly Step[]
  /** Node id -> its part of the run. */
  nodes: ReadonlyMap<string, NodeRun>
  /** The document that ran, if the run was started here. */
  executed: WorkflowDocument | undefined
  /** The URLs of the previous run's outputs by `keyOf`, to compare. */
  previousUrls: ReadonlyMap<string, string>
  /** True from the click until the execution ends. */
  isRunning: boolean
  /** The run was started before the editor was opened. */
  isEarlier: boolean
  /** The last run was looked up, or a run was started. */
  isOpened: boolean
  /** The steps of the next run. A node whose last step has another fingerprint changed since. */
  forecast: Validation['steps']
  /** Why no execution started, such as invalid parameters. */
  problem: Error | undefined
  /** Someone typed these values. They are also there after a reload of the page. */
  setValues(values: ParameterValues): void
  /**
   * Sets the values to those of an execution, without images that no longer exist. `of`: the document that declares the
   * parameters, if it is not the one of the editor.
   */
  repeat(execution: Execution, document?: WorkflowDocument): void
  setForecast(steps: Validation['steps']): void
  /** Runs the current draft, up to its output or up to `node`. `vary`: nodes that get another result. */
  start(options?: { node?: string | undefined; vary?: readonly string[] }): void
  /** Node id -> the number of its results to choose from that are being made. */
  offered: ReadonlyMap<string, number>
  /**
   * Makes further results of a node to choose from. The draft and its variations stay as they are. `alone`: one after the other for the first,
   * because the nodes before it have no stored results yet.
   */
  offer(node: string, options: { count: number; alone: boolean }): void
  /** Shows an execution of the workflow, or the last run of the draft. Follows it while it runs. Resolves when it is loaded. */
  open(executionId?: string): Promise<void>
  cancel(): void
  /** Closes the connection that receives the steps. */
  disconnect(): void
}

export type RunStore = StoreApi<RunState>

export interface RunOptions {
  workflowId: string
  document: DocumentStore
  catalogue: Catalogue
  /** Saves the draft. The service runs the saved draft, or the newest version if there is none. */
  flush(): Promise<void>
  queryClient: QueryClient
  /** The values that were typed earlier in this tab; undefined if there are none. */
  typed: ParameterValues | undefined
  /** Stores typed values. */
  onTyped(values: ParameterValues): void
}

function urlsOf(execution: Execution): Map<string, string> {
  return new Map(outputsOf(execution).map((output) => [keyOf(output), output.url]))
}

export function createRunStore(options: RunOptions): RunStore {
  const { workflowId, document: store, catalogue, flush, queryClient, typed, onTyped } = options
  return createStore<RunState>((set, get, run) => {
    /** Whether someone typed or chose the values. The last run doesn't replace them. */
    let isTyped = typed !== undefined
    let live: LiveExecution | undefined
    /** A run was requested and has no execution yet. */
    let isStarting = false
    /** The execution to cancel; undefined until a requested run has one. */
    let followed: string | undefined
    /** The requested run was cancelled before it had an execution. */
    let isCancelled = false
    let opening: AbortController | undefined
    let disconnect = () => {}
    const offer = createOffer(run, options)

    function currentNodes(): Map<string, NodeRun> {
      const next = new Map(get().forecast.map(({ node, fingerprint }) => [node, fingerprint]))
      const stale = (live?.steps ?? []).flatMap(({ node, fingerprint }) => {
        const now = next.get(node)
        return fingerprint !== undefined && now !== undefined && now !== fingerprint ? [node] : []
      })
      return nodeRuns(live, {
        stale: new Set(stale),
        nodes: (get().executed ?? store.getState().document).nodes,
        catalogue,
      })
    }
    function show(next: LiveExecution): void {
      live = next
      const { execution, steps } = next
      set({ execution, steps, nodes: currentNodes(), isRunning: isStarting || !isEnded(execution) })
      if (isEnded(execution)) refetchMissing(queryClient)
    }
    function cancel(): void {
      isCancelled = true
      if (followed !== undefined) cancelExecution(followed).catch((error: Error) => set({ problem: error }))
    }
    function follow(executionId: string): void {
      followed = executionId
      disconnect()
      disconnect = followNewExecution(
        queryClient,
        { executionId, workflowId },
        { onChange: show, onError: (error) => set({ problem: error as Error }) },
      )
    }
    async function start({ node, vary = [] }: { node?: string | undefined; vary?: readonly string[] } = {}) {
      opening?.abort()
      isStarting = true
      followed = undefined
      isCancelled = false
      set({ isRunning: true, isOpened: true, problem: undefined })
      if (vary.length > 0) {
        const { variations, vary: choose } = store.getState()
        const [only, ...others] = vary
        choose(others.length === 0 ? `New variation of ${only}` : 'New variation', withNewVariations(variations, vary))
      }
      try {
        await flush()
        const { document, variations } = store.getState()
        const { values } = get()
        const { executionId } = await executeDraft(workflowId, {
          parameters: declaredValues(document, values),
          variations: declaredVariations(document, variations),
          previews: true,
          ...(node === undefined ? {} : { node }),
        })
        set(({ execution, previousUrls }) => ({
          previousUrls: execution?.output === undefined ? previousUrls : urlsOf(execution),
          isEarlier: false,
          executed: document,
        }))
        follow(executionId)
        if (isCancelled) cancel()
      } catch (error) {
        set({ problem: error as Error, isRunning: live !== undefined && !isEnded(live.execution) })
        const [first] = issuesOf(error)
        if (first !== undefined && !isWithin(first.path, 'parameters')) store.getState().focusOn(first.path)
      } finally {
        isStarting = false
      }
    }
    function setValues(values: ParameterValues): void {
      isTyped = true
      set({ values })
      onTyped(values)
    }
    /** Leaves out deleted images, unless the values change while the images are looked up. */
    async function leaveOutMissing(values: ParameterValues): Promise<void> {
      const missing = await missingImages(queryClient, imagesOf(values))
      if (missing.size > 0 && get().values === values) set({ values: withoutImages(values, missing) })
    }
    function repeat({ parameters = {} }: Execution, document = store.getState().document): void {
      const values = valuesOf(document, parameters)
      setValues(values)
      void leaveOutMissing(values)
    }
    /** The values of the last run, unless someone typed others. */
    function prefill({ parameters = {} }: Execution): void {
      if (isTyped) return
      const values = valuesOf(store.getState().document, parameters)
      set({ values })
      void leaveOutMissing(values)
    }
    async function open(executionId?: string): Promise<void> {
      opening?.abort()
      const request = new AbortController()
      opening = request
      try {
        const found =
          executionId === undefined
            ? await loadLastRun(workflowId, request.signal)
            : await loadExecution(workflowId, executionId, request.signal)
        if (found === undefined || request.signal.aborted) return
        const { execution } = found
        disconnect()
        if (executionId === undefined) prefill(execution)
        else repeat(execution)
        store.getState().setVariations(execution.variations ?? {})
        set({ isEarlier: true, executed: undefined, problem: undefined })
        show(found)
        if (!isEnded(execution)) follow(execution.executionId)
      } catch (error) {
        if (!request.signal.aborted) set({ problem: error as Error })
      } finally {
        if (!request.signal.aborted) set({ isOpened: true })
      }
    }

    if (typed !== undefined) void leaveOutMissing(typed)
    return {
      values: typed ?? {},
      execution: undefined,
      steps: [],
      nodes: new Map(),
      executed: undefined,
      previousUrls: new Map(),
      isRunning: false,
      isEarlier: false,
      isOpened: false,
      forecast: [],
      offered: new Map(),
      problem: undefined,
      setValues,
      repeat,
      setForecast(forecast) {
        set({ forecast })
        set({ nodes: currentNodes() })
      },
      start: (options) => void start(options),
      offer: (node, wanted) => void offer(node, wanted),
      open,
      cancel,
      disconnect() {
        opening?.abort()
        disconnect()
      },
    }
  })
}

/** Older runs are not looked for. */
const lookedAtMax = 100

/** The newest run of the draft with previews; undefined if none is among the newest executions of the workflow. */
async function loadLastRun(workflowId: string, signal: AbortSignal): Promise<LiveExecution | undefined> {
  const { executions } = await listExecutions({ workflowId }, { limit: lookedAtMax }, signal)
  const last = executions.find((execution) => execution.draft && execution.previews && !isOffer(execution))
  return last && readExecution(last.executionId, signal)
}

/** Throws if the execution is one of another workflow. */
async function loadExecution(workflowId: string, executionId: string, signal: AbortSignal): Promise<LiveExecution> {
  const live = await readExecution(executionId, signal)
  if (live.execution.workflowId !== workflowId) throw new Error(`The execution ${executionId} ran another workflow.`)
  return live
}
