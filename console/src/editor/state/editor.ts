/** Everything that belongs to one open workflow. Components get it with `useEditor`, and actions as their first argument. */
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/client.ts'
import { previewDraft, saveDraft } from '../../api/drafts.ts'
import type { Catalogue } from '../../api/operations.ts'
import { sessionQuery } from '../../api/session.ts'
import { readTyped, storeTyped } from '../../api/typed-values.ts'
import type { Operation } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { type Autosave, createAutosave } from './autosave.ts'
import { type CanvasStore, type CanvasView, createCanvasStore } from './canvas.ts'
import { createDocumentStore, type DocumentStore } from './document-store.ts'
import type { LivePreviews } from './live-preview.ts'
import { createLivePreviews } from './live-previews.ts'
import { createRunStore, type RunStore } from './run.ts'

export interface Editor {
  workflowId: string
  /** The project whose brand values its templates read. */
  projectId: string | undefined
  catalogue: Catalogue
  /** Adds a used workflow to the catalogue, before a node uses it. */
  addOperation(operation: Operation): void
  /** The document can't be changed, and nothing is saved: it is the document of an execution. */
  isReadOnly: boolean
  /** The document with its history, the selection and the issues. */
  document: DocumentStore
  /** The state of the canvas in addition to the document, such as an open menu. */
  canvas: CanvasStore
  /** The drawn canvas, for actions. */
  view: CanvasView
  run: RunStore
  /** Images of nodes while their settings change. */
  previews: LivePreviews
  autosave: Autosave
  /** Starts to save changes. Returns a function that stops this, and the connection of the run. */
  open(): () => void
}

export interface EditorOptions {
  workflowId: string
  projectId?: string | undefined
  document: WorkflowDocument
  /** The revision of the loaded draft; undefined if there is none. */
  revision: number | undefined
  catalogue: Catalogue
  queryClient: QueryClient
  isReadOnly?: boolean
}

export function createEditor(options: EditorOptions): Editor {
  const { workflowId, projectId, revision, queryClient, isReadOnly = false } = options
  const catalogue = new Map(options.catalogue)
  const document = createDocumentStore(options.document, { isReadOnly })
  const autosave = createAutosave({
    store: document,
    revision,
    async save(next, ifRevision) {
      const saved = await saveDraft(workflowId, next, ifRevision === undefined ? {} : { ifRevision })
      // The gallery may have read them before the save.
      void queryClient.invalidateQueries({ queryKey: ['drafts'] })
      return saved.revision
    },
    isConflict: isOutdated,
  })
  const run = createRunStore({
    ...{ workflowId, document, catalogue, flush: autosave.flush, queryClient },
    typed: isReadOnly ? undefined : readTyped(workflowId),
    onTyped(values) {
      const accountId = queryClient.getQueryData(sessionQuery.queryKey)?.account.id
      if (accountId !== undefined && !isReadOnly) storeTyped(workflowId, { accountId, values })
    },
  })
  const previews = createLivePreviews({
    document,
    run,
    catalogue,
    request: (wanted, signal) => previewDraft(workflowId, wanted, signal),
    decode,
    idle,
  })
  return {
    workflowId,
    projectId,
    catalogue,
    addOperation: (operation) => catalogue.set(operation.id, operation),
    isReadOnly,
    document,
    canvas: createCanvasStore(),
    view: { autoPositions: new Map(), usesPointer: false },
    run,
    previews,
    autosave,
    open() {
      const stops = isReadOnly ? [] : [autosave.start(), previews.start()]
      return () => {
        for (const stop of stops) stop()
        run.getState().disconnect()
      }
    },
  }
}

/** Whether another editor saved, published or discarded the draft since. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'precondition_failed')
}

/** An image that is decoded once is shown without flicker. */
function decode(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  return image.decode()
}

/** Resolves when the page is visible and has nothing else to do. Safari can't say when that is. */
async function idle(): Promise<void> {
  if (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
  await new Promise<void>((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(() => resolve()) : setTimeout(resolve),
  )
}
