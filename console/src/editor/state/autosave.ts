/**
 * Saves the document shortly after a change. One save at a time, and each save states the revision that it is based on,
 * so that no change of another editor is overwritten.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import type { DocumentState, DocumentStore } from './document-store.ts'

export type SaveState =
  | { kind: 'saved' }
  /** Changed, and will be saved. */
  | { kind: 'waiting' }
  | { kind: 'saving' }
  /** Will be retried automatically. */
  | { kind: 'failed'; error: unknown }
  /** Another editor saved the draft. Saving stops until the user chooses a version. */
  | { kind: 'conflict' }

export interface Autosave {
  state: StoreApi<SaveState>
  /** Saves unsaved changes immediately. Throws the error of the save. */
  flush(): Promise<void>
  /** Like `flush`, and also creates the draft if there is none. */
  ensure(): Promise<void>
  /** Overwrites the other version. */
  keepOurs(revision: number | undefined): Promise<void>
  /** Call it after the document was replaced by the stored one. */
  accept(document: WorkflowDocument, revision: number | undefined): void
  revision(): number | undefined
  /** Starts to watch the document. Returns a function that stops it. */
  start(): () => void
}

export interface AutosaveOptions {
  store: DocumentStore
  /** The revision of the loaded draft; undefined if there is none. */
  revision: number | undefined
  /** Returns the new revision. */
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
    async keepOurs(theirRevision) {
      revision = theirRevision
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
