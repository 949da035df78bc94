/**
 * Live previews: the images of nodes while their settings change, without a run. One request is in progress at a time, and the next one
 * has the newest document, so a fast sequence of changes ends with the image of the last one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Frame } from '../../../../shared/frames.ts'
import { ApiError } from '../../api/client.ts'
import type { DraftPreview, PreviewOptions } from '../../api/drafts.ts'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { withoutLayout } from '../document/layout-record.ts'
import { dependsOn } from '../document/wires.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'
import { declaredValues } from './parameter-values.ts'
import { type PreviewProblem, problemOf } from './preview-problem.ts'
import type { RunState, RunStore } from './run.ts'
import { declaredVariations } from './variations.ts'

/** The live image of a node. */
export interface LivePreview {
  /** A data: URL, decoded before it is here. Undefined before the first image. */
  url: string | undefined
  /** Pixels of the image of the node. The file at `url` can be smaller. */
  width: number
  height: number
  /** Areas that the node drew or read. */
  frames: readonly Frame[]
  /** Whether the image is of an earlier state of the document. */
  isStale: boolean
  /** Whether the image has all pixels of a run, without loss. */
  isExact: boolean
  /** Why the current state has no image. */
  problem: PreviewProblem | undefined
}

export interface Watch {
  /** Pixels of the longer side while the document changes, at least. Default: 512. */
  maxSide?: number
  /** Whether the image becomes exact, at full size, shortly after the last change. */
  isExact?: boolean
  /** Whether the image is requested now and after each run, and not only after the next change. */
  isImmediate?: boolean
  /** Whether frames of texts have the places of a caret. */
  hasCarets?: boolean
}

export interface LivePreviews {
  /** Live images by node. For a node without an entry, the image of its last run is current. */
  nodes: StoreApi<ReadonlyMap<string, LivePreview>>
  /** Keeps the image of a node current until the returned function is called. A node whose settings were changed last is watched in any case. */
  watch(node: string, watch?: Watch): () => void
  /** Starts to follow the document and the run. Returns a function that stops this. */
  start(): () => void
}

interface Options {
  document: DocumentStore
  run: RunStore
  catalogue: Catalogue
  request(options: PreviewOptions, signal: AbortSignal): Promise<DraftPreview>
  /** Resolves when the image can be shown without flicker. */
  decode(url: string): Promise<void>
  /** Milliseconds between the last change and the exact image. */
  settleMs?: number
  /** Milliseconds between two requests, at least. */
  pauseMs?: number
}

/** Cards show at most this size. */
const cardSide = 512

export function createLivePreviews(options: Options): LivePreviews {
  const { document: store, run, catalogue, request, decode, settleMs = 100, pauseMs = 16 } = options
  const nodes = createStore<ReadonlyMap<string, LivePreview>>(() => new Map())
  const watched = new Map<string, Set<Watch>>()
  /** The node whose settings were changed last. */
  let edited: string | undefined
  let change = 0
  /** Number of the last change of the document or the values, by the nodes that it affects. */
  const changes = new Map<string, number>()
  /** The nodes to request, the next one first, and whether exactly. */
  const waiting = new Map<string, boolean>()
  /** The nodes that have changed since their last exact request. */
  const unsettled = new Set<string>()
  let requests = 0
  /** Number of the newest request whose image or problem is shown, by node. */
  const newest = new Map<string, number>()
  /** Number of the runs that have replaced live images. */
  let runs = 0
  let settling: ReturnType<typeof setTimeout> | undefined
  let isWorking = false
  let stop = new AbortController()

  function update(node: string, part: Partial<LivePreview>): void {
    const before = nodes.getState().get(node) ?? none
    nodes.setState(new Map(nodes.getState()).set(node, { ...before, ...part }), true)
  }

  function targets(): string[] {
    const { document } = store.getState()
    const all = new Set([...(edited === undefined ? [] : [edited]), ...watched.keys()])
    return [...all].filter((id) => typeof operationOf(catalogue, document.nodes[id])?.outputs.image === 'string')
  }

  function isExact(node: string): boolean {
    return [...(watched.get(node) ?? [])].some((watch) => watch.isExact)
  }

  /** `changed`: the only node that has changed. Undefined if any node may have another image. */
  function refresh(changed?: string): void {
    change += 1
    const { document } = store.getState()
    const isAffected = (id: string) => changed === undefined || id === changed || dependsOn(document, id, changed)
    const current = targets().filter(isAffected)
    // Other affected nodes show the image of their last run.
    const kept = [...nodes.getState()].flatMap(([id, preview]): [string, LivePreview][] => {
      if (!isAffected(id)) return [[id, preview]]
      return current.includes(id) ? [[id, { ...preview, isStale: true }]] : []
    })
    nodes.setState(new Map(kept), true)
    for (const id of [...waiting.keys()]) if (isAffected(id)) waiting.delete(id)
    for (const id of current) {
      changes.set(id, change)
      waiting.set(id, false)
      unsettled.add(id)
    }
    clearTimeout(settling)
    settling = setTimeout(settle, settleMs)
    void work()
  }

  function settle(): void {
    for (const node of unsettled) if (isExact(node)) waiting.set(node, true)
    unsettled.clear()
    void work()
  }

  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    const { signal } = stop
    try {
      for (let [next] = waiting; next !== undefined && !signal.aborted; [next] = waiting) {
        const [node, exactly] = next
        waiting.delete(node)
        const pause = sleep(pauseMs)
        await show(node, exactly, signal)
        await pause
      }
    } finally {
      isWorking = false
    }
    if (waiting.size > 0 && !stop.signal.aborted) void work()
  }

  async function show(node: string, exactly: boolean, signal: AbortSignal): Promise<void> {
    const of = changes.get(node)
    const ofRun = runs
    const isCurrent = () =>
      !signal.aborted && runs === ofRun && (nodes.getState().has(node) || targets().includes(node))
    const { document, variations } = store.getState()
    const { values } = run.getState()
    const watches = [...(watched.get(node) ?? [])]
    const side = Math.max(cardSide, ...watches.map(({ maxSide = 0 }) => maxSide))
    const hasCarets = watches.some((watch) => watch.hasCarets)
    const number = ++requests
    const isNewest = () => isCurrent() && number > (newest.get(node) ?? 0)
    const fail = (error: unknown) => {
      if (!isNewest() || of !== changes.get(node)) return
      newest.set(node, number)
      update(node, { isStale: true, problem: problemOf(error), ...failedFrames(error) })
    }
    try {
      const { width, height, image, frames } = await request(
        {
          document: withoutLayout(document),
          node,
          parameters: declaredValues(document, values),
          variations: declaredVariations(document, variations),
          ...(hasCarets && { carets: true }),
          ...(exactly ? { quality: 'exact' } : { quality: 'fast', maxSide: side }),
        },
        signal,
      )
      const url = `data:image/${image.format};base64,${image.data}`
      // The next request is in progress while this image is decoded.
      void decode(url).then(() => {
        if (!isNewest()) return
        newest.set(node, number)
        update(node, {
          url,
          width,
          height,
          frames: (frames ?? []) as unknown as readonly Frame[],
          isStale: of !== changes.get(node),
          isExact: exactly,
          problem: undefined,
        })
      }, fail)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'rate_limited')) return fail(error)
      if (!isCurrent()) return
      await sleep((error.retryAfterSeconds ?? 1) * 1000)
      if (isCurrent() && !waiting.has(node)) waiting.set(node, exactly)
    }
  }

  /** The images of the run are newer from now on, for the nodes that it has. */
  function clear(run: RunState): void {
    clearTimeout(settling)
    edited = undefined
    waiting.clear()
    unsettled.clear()
    runs += 1
    nodes.setState(new Map([...nodes.getState()].filter(([id]) => !run.nodes.has(id))), true)
    for (const [node, watches] of watched) if ([...watches].some(({ isImmediate }) => isImmediate)) showNow(node)
  }

  function showNow(node: string): void {
    waiting.set(node, isExact(node))
    void work()
  }

  function handleDocument(state: DocumentState, previous: DocumentState): void {
    const { document: now } = state
    const { document: before } = previous
    // A variation that a person chose has its result in the cache. The variations of a run that is shown are not a change.
    const isChosen = state.variations !== previous.variations && state.past !== previous.past
    if (isChosen) refresh()
    if (isChosen || !isOtherImage(now, before)) return
    const changed = now.parameters === before.parameters ? editedNode(now, before) : undefined
    edited = changed ?? (edited !== undefined && Object.hasOwn(now.nodes, edited) ? edited : undefined)
    refresh(changed)
  }

  function handleRun(now: RunState, before: RunState): void {
    const hasEnded = before.isRunning && !now.isRunning
    if (hasEnded && now.problem === undefined && now.executed?.nodes === store.getState().document.nodes) clear(now)
    else if (now.values !== before.values && nodes.getState().size > 0) refresh()
  }

  return {
    nodes,

    watch(node, watch = {}) {
      const watches = watched.get(node) ?? new Set()
      watched.set(node, watches.add(watch))
      if (watch.isImmediate) showNow(node)
      return () => {
        watches.delete(watch)
        if (watches.size > 0 || watched.get(node) !== watches) return
        watched.delete(node)
        if (node !== edited) waiting.delete(node)
      }
    },

    start() {
      stop = new AbortController()
      const stops = [store.subscribe(handleDocument), run.subscribe(handleRun)]
      return () => {
        for (const unsubscribe of stops) unsubscribe()
        clearTimeout(settling)
        waiting.clear()
        stop.abort()
      }
    },
  }
}

/** A rectangle outside of its image has a handle, too. */
function failedFrames(error: unknown): Partial<Pick<LivePreview, 'frames'>> {
  const frames = error instanceof ApiError ? error.details.frames : undefined
  return Array.isArray(frames) ? { frames } : {}
}

const none: LivePreview = {
  url: undefined,
  width: 0,
  height: 0,
  frames: [],
  isStale: true,
  isExact: false,
  problem: undefined,
}

/** Whether the change can change an image: not of the layout, names or descriptions. */
function isOtherImage(now: WorkflowDocument, before: WorkflowDocument): boolean {
  return now.nodes !== before.nodes || now.parameters !== before.parameters
}

/** The only node that has changed. Undefined for none and for several, for example if one was renamed. */
function editedNode(now: WorkflowDocument, before: WorkflowDocument): string | undefined {
  const ids = Object.keys(now.nodes).filter((id) => now.nodes[id] !== before.nodes[id])
  const [id] = ids
  return ids.length === 1 && id !== undefined && Object.hasOwn(before.nodes, id) ? id : undefined
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
