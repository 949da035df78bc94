/**
 * Saves the document a moment after it was changed: one save at a time, each told which revision it builds on, so that what
 * another has saved meanwhile is never written over unseen.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'

export type SaveState =
  | { kind: 'saved' }
  /** Changed, and about to be saved. */
  | { kind: 'waiting' }
  | { kind: 'saving' }
  /** Tried again by itself after a while. */
  | { kind: 'failed'; error: unknown }
  /** Another has saved since: nothing is saved until one of both is chosen. */
  | { kind: 'conflict' }

export interface Autosave {
  state: StoreApi<SaveState>
  /** What there is to save, at saveOnce. Throws what kept it from being saved. */
  flush(): Promise<void>
  /** As `flush`; afterwards there is a draft, also where nothing had been changed. */
  ensure(): Promise<void>
  /** Ours over theirs. */
  keepOurs(revision: number | undefined): Promise<void>
  /** After the document was replaced by what is stored. */
  accept(document: WorkflowDocument, revision: number | undefined): void
  revision(): number | undefined
  /** Listens to the editor from now on. Gives what ends it. */
  start(): () => void
}

export interface AutosaveOptions {
  store: DocumentStore
  /** Of the draft that the editor began with; undefined where there was none. */
  revision: number | undefined
  /** Gives the new revision. */
  save(document: WorkflowDocument, ifRevision: number | undefined): Promise<number>
  isConflict(error: unknown): boolean
  delayMs?: number
  retryMs?: number
}

export function createAutosave(options: AutosaveOptions): Autosave {
  const { store, save, isConflict, delayMs = 1500, retryMs = 5000 } = options
  let { revision } = options
  let saved = store.getState().document
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  const state = createStore<SaveState>(() => ({ kind: 'saved' }))
  const setState = (next: SaveState) => state.setState(next, true)

  const isDirty = () => store.getState().document !== saved
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run().catch(() => undefined), ms)
  }

  async function saveOnce(): Promise<void> {
    const { document } = store.getState()
    setState({ kind: 'saving' })
    try {
      revision = await save(document, revision)
      saved = document
      setState({ kind: isDirty() ? 'waiting' : 'saved' })
    } catch (error) {
      const kind = isConflict(error) ? 'conflict' : 'failed'
      setState(kind === 'conflict' ? { kind } : { kind, error })
      if (kind === 'failed') later(retryMs)
      throw error
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer)
    running ??= saveOnce().finally(() => {
      running = undefined
      if (state.getState().kind === 'waiting') later(delayMs)
    })
    return running
  }

  async function flush(): Promise<void> {
    if (running !== undefined) await running
    if (isDirty() && state.getState().kind !== 'conflict') await run()
  }

  function handleChange(now: DocumentState, before: DocumentState): void {
    if (now.document === before.document || state.getState().kind === 'conflict') return
    if (!isDirty()) {
      clearTimeout(timer)
      if (running === undefined) setState({ kind: 'saved' })
      return
    }
    if (running === undefined) setState({ kind: 'waiting' })
    later(delayMs)
  }

  return {
    state,
    flush,
    async ensure() {
      await flush()
      if (revision === undefined) await run()
    },
    async keepOurs(theirs) {
      revision = theirs
      await run()
    },
    accept(document, stored) {
      saved = document
      revision = stored
      setState({ kind: isDirty() ? 'waiting' : 'saved' })
    },
    revision: () => revision,
    start() {
      const stop = store.subscribe(handleChange)
      return () => {
        clearTimeout(timer)
        stop()
      }
    },
  }
}
