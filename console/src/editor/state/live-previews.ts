/**
 * Live previews: the images of nodes while their settings change, without a run. One request is in progress at a time, and the next one
 * has the newest document, so a fast sequence of changes ends with the image of the last one.
 */
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../api/client.ts'
import { operationOf } from '../../api/operations.ts'
import { editedNode, isOtherImage } from '../document/image-changes.ts'
import { dependsOn } from '../document/wires.ts'
import type { DocumentState } from './document-store.ts'
import { type LivePreview, type LivePreviews, noPreview, type PreviewsOptions, type Watch } from './live-preview.ts'
import { createModelResults } from './model-results.ts'
import { failedFrames, problemOf } from './preview-problem.ts'
import { imageOf, requestOf } from './preview-request.ts'
import { createQuietQueue, nextCard } from './quiet-previews.ts'
import type { RunState } from './run.ts'

export function createLivePreviews(options: PreviewsOptions): LivePreviews {
  const { document: store, run, catalogue, request, decode, settleMs = 100, pauseMs = 16, quietMs = 300 } = options
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
  const models = createModelResults(catalogue)
  const quiet = createQuietQueue({
    idle: options.idle,
    quietMs,
    next: nextQuiet,
    show: (node, signal) => showImage(node, { exactly: false, quietly: true, signal }),
  })
  let requests = 0
  /** Number of the newest request whose image or problem is shown, by node. */
  const newest = new Map<string, number>()
  /** Number of the runs that have replaced live images. */
  let runs = 0
  let settling: ReturnType<typeof setTimeout> | undefined
  let isWorking = false
  let stop = new AbortController()

  function update(node: string, part: Partial<LivePreview>): void {
    const before = nodes.getState().get(node) ?? noPreview
    nodes.setState(new Map(nodes.getState()).set(node, { ...before, ...part }), true)
  }

  function removeQuiet(node: string): void {
    if (nodes.getState().get(node)?.isQuiet)
      nodes.setState(new Map([...nodes.getState()].filter(([id]) => id !== node)), true)
  }

  function targets(): string[] {
    const followed = [...watched].flatMap(([id, watches]) => ([...watches].some((watch) => !watch.isQuiet) ? id : []))
    return [...new Set([...(edited === undefined ? [] : [edited]), ...followed])].filter(hasImage)
  }

  function hasImage(id: string): boolean {
    return typeof operationOf(catalogue, store.getState().document.nodes[id])?.outputs.image === 'string'
  }

  function isQuiet(id: string): boolean {
    return [...(watched.get(id) ?? [])].some((watch) => watch.isQuiet)
  }

  function isExact(node: string): boolean {
    return [...(watched.get(node) ?? [])].some((watch) => watch.isExact)
  }

  /** `changed`: the only node that has changed. Undefined if any node may have another image. */
  function refresh(changed?: string): void {
    change += 1
    quiet.interrupt()
    const { document } = store.getState()
    const isAffected = (id: string) => changed === undefined || id === changed || dependsOn(document, id, changed)
    const current = targets().filter(isAffected)
    const followed = [...watched.keys()].filter((id) => isQuiet(id) && isAffected(id))
    quiet.forget(followed)
    // Other affected nodes show the image of their last run. Without one, they keep this image until the next if no model has to make it.
    const kept = [...nodes.getState()].flatMap(([id, preview]): [string, LivePreview][] => {
      if (!Object.hasOwn(document.nodes, id)) return []
      if (!isAffected(id)) return [[id, preview]]
      if (current.includes(id)) return [[id, { ...preview, isStale: true }]]
      const isKept = preview.url !== undefined && followed.includes(id) && models.areStored(document, id)
      return isKept ? [[id, { ...preview, isStale: true, isQuiet: true, problem: undefined }]] : []
    })
    nodes.setState(new Map(kept), true)
    for (const id of [...waiting.keys()]) if (isAffected(id)) waiting.delete(id)
    for (const id of [...followed, ...current]) changes.set(id, change)
    follow(current)
  }

  /** Requests these images now, and exactly after the last change. */
  function follow(ids: readonly string[]): void {
    for (const id of ids) {
      enqueue(id, false)
      unsettled.add(id)
    }
    clearTimeout(settling)
    settling = setTimeout(settle, settleMs)
    void work()
  }

  /** An image that needs a missing result of a model isn't requested: only a run can make it. */
  function enqueue(node: string, exactly: boolean): void {
    const missing = models.missing(store.getState().document, node)
    if (missing.length === 0) {
      waiting.set(node, exactly)
      return
    }
    newest.set(node, ++requests)
    update(node, { isStale: true, isQuiet: false, problem: { kind: 'run', nodes: missing } })
  }

  function settle(): void {
    for (const node of unsettled) if (isExact(node)) enqueue(node, true)
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
    if (stop.signal.aborted) return
    if (waiting.size > 0) void work()
    else quiet.start()
  }

  async function show(node: string, exactly: boolean, signal: AbortSignal): Promise<void> {
    const waitSeconds = await showImage(node, { exactly, quietly: false, signal })
    if (waitSeconds === undefined || !isWanted(node)) return
    await sleep(waitSeconds * 1000)
    if (!signal.aborted && isWanted(node) && !waiting.has(node)) waiting.set(node, exactly)
  }

  function nextQuiet(isRequested: (node: string) => boolean): string | undefined {
    const { values, isRunning, isOpened } = run.getState()
    if (isWorking || waiting.size > 0 || unsettled.size > 0 || isRunning || !isOpened) return undefined
    const isMissing = (id: string) => {
      const preview = nodes.getState().get(id)
      const isOld = preview === undefined || (preview.isQuiet && preview.isStale)
      return isOld && isQuiet(id) && hasImage(id) && !isRequested(id)
    }
    return nextCard({ ...store.getState(), catalogue, values, models, isMissing })
  }

  function isWanted(node: string): boolean {
    return nodes.getState().has(node) || watched.has(node) || node === edited
  }

  /** Resolves with the seconds to wait if the request has to be sent again. */
  async function showImage(
    node: string,
    { exactly, quietly, signal }: { exactly: boolean; quietly: boolean; signal: AbortSignal },
  ): Promise<number | undefined> {
    const of = changes.get(node)
    const ofRun = runs
    const { signal: stopped } = stop
    const { document, variations } = store.getState()
    const watches = [...(watched.get(node) ?? [])].filter((watch) => !quietly || watch.isQuiet)
    const wanted = requestOf({ document, variations, values: run.getState().values }, { node, exactly, watches })
    const number = ++requests
    const isNewest = () => !stopped.aborted && runs === ofRun && isWanted(node) && number > (newest.get(node) ?? 0)
    const fail = (error: unknown) => {
      if (signal.aborted || !isNewest() || of !== changes.get(node)) return
      const problem = problemOf(error)
      if (problem?.kind === 'run') models.set(document, problem.nodes, false)
      newest.set(node, number)
      if (!quietly) {
        update(node, { isStale: true, isQuiet: false, problem, ...failedFrames(error) })
        return
      }
      removeQuiet(node)
      // A 5xx can be of this node only, such as a source that another host doesn't return.
      if (problem === undefined && error instanceof ApiError && error.status < 500) quiet.giveUp()
    }
    try {
      const image = imageOf(await request(wanted, signal))
      // The next request is in progress while this image is decoded.
      void decode(image.url).then(() => {
        if (!isNewest() || (quietly && of !== changes.get(node))) return
        newest.set(node, number)
        const isStale = of !== changes.get(node)
        update(node, { ...image, isStale, isExact: exactly, isQuiet: quietly, problem: undefined })
      }, fail)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'rate_limited') return error.retryAfterSeconds ?? 1
      fail(error)
    }
    return undefined
  }

  /** The images of the run are newer from now on, for the nodes that it has. */
  function clear(run: RunState): void {
    clearTimeout(settling)
    edited = undefined
    waiting.clear()
    unsettled.clear()
    quiet.forget()
    runs += 1
    const completed = [...run.nodes].flatMap(([id, { status }]) => (status === 'completed' ? id : []))
    models.set(store.getState().document, completed, true)
    nodes.setState(new Map([...nodes.getState()].filter(([id]) => !run.nodes.has(id))), true)
    for (const [node, watches] of watched) if ([...watches].some(({ isImmediate }) => isImmediate)) showNow(node)
  }

  function showNow(node: string): void {
    quiet.interrupt()
    enqueue(node, isExact(node))
    void work()
  }

  function handleDocument(state: DocumentState, previous: DocumentState): void {
    const { document: now } = state
    const { document: before } = previous
    // A variation that a person chose has its result in the cache. The variations of a run that is shown are not a change.
    const isChosen = state.variations !== previous.variations && state.past !== previous.past
    if (isChosen) {
      models.clear()
      refresh()
    }
    if (state.issues !== previous.issues) quiet.start()
    if (isChosen || !isOtherImage(now, before)) return
    const { values } = run.getState()
    models.change({ document: now, values }, { document: before, values })
    const changed = now.parameters === before.parameters ? editedNode(now, before) : undefined
    edited = changed ?? (edited !== undefined && Object.hasOwn(now.nodes, edited) ? edited : undefined)
    refresh(changed)
  }

  function handleRun(now: RunState, before: RunState): void {
    const hasEnded = before.isRunning && !now.isRunning
    const { document } = store.getState()
    if (now.isRunning) quiet.interrupt()
    if (now.forecast !== before.forecast) {
      const found = models.readForecast(now.forecast)
      const isFound = ({ problem }: LivePreview) => problem?.kind === 'run' && problem.nodes.some((id) => found.has(id))
      const showable = targets().filter((id) => isFound(nodes.getState().get(id) ?? noPreview))
      if (showable.length > 0) follow(showable)
    }
    if (hasEnded && now.problem === undefined && now.executed?.nodes === document.nodes) clear(now)
    else if (now.values !== before.values) {
      models.change({ document, values: now.values }, { document, values: before.values })
      if (nodes.getState().size > 0) refresh()
      else quiet.forget()
    }
    if (!now.isRunning) quiet.start()
  }

  return {
    nodes,

    watch(node, watch = {}) {
      const watches = watched.get(node) ?? new Set()
      watched.set(node, watches.add(watch))
      if (watch.isImmediate) showNow(node)
      if (watch.isQuiet) quiet.start()
      return () => {
        watches.delete(watch)
        if (!isQuiet(node)) removeQuiet(node)
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
        quiet.interrupt()
        waiting.clear()
        stop.abort()
      }
    },
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
