/**
 * The document with its history, and the selection. Every change goes through `change` and can be undone. A change is a
 * recipe for a draft of Immer, and successive documents share unchanged parts.
 */

import { produce } from 'immer'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Issue } from '../../api/client.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { noteOf } from '../document/notes.ts'
import { cardOf, firstKey } from '../document/path.ts'
import { outputId } from '../document/wires.ts'
import type { Variations } from './variations.ts'

interface HistoryEntry {
  document: WorkflowDocument
  variations: Variations
  /** The label of the change, for the undo button. */
  label: string
  /** Successive changes with the same key are one entry: dragging a slider, typing a word. */
  key: string | undefined
  /** The selection with this document. */
  selection: readonly string[]
}

interface ChangeOptions {
  key?: string
  /** The document of the start of a gesture, which each step of the gesture changes again. Default: the current one. */
  from?: WorkflowDocument
  /** The variations after the change. Default: as before. */
  variations?: Variations
}

export interface DocumentState {
  document: WorkflowDocument
  /** The results of AI nodes that the next run has. They are not saved with the document, but undo restores them, too. */
  variations: Variations
  past: HistoryEntry[]
  future: HistoryEntry[]
  /** Ids of nodes and notes, or `outputId`. */
  selection: readonly string[]
  /** Issues from the API. */
  issues: readonly Issue[]
  warnings: readonly Issue[]
  /** The field to focus, by its path. `at` grows with each request. */
  focus: { path: string; at: number } | undefined
  change(label: string, recipe: (document: WorkflowDocument) => void, options?: ChangeOptions): void
  /** Chooses other variations, as one change. */
  vary(label: string, variations: Variations): void
  /** Sets the variations of a run that is shown. It is not a change. */
  setVariations(variations: Variations): void
  /** Ends a gesture: the next change with the same key is another entry. A gesture that changed nothing has no entry. */
  endGesture(): void
  /** Restores the document of the start of the gesture with this key. */
  cancelGesture(key: string): void
  /** Replaces the document, as one change. */
  replace(label: string, document: WorkflowDocument): void
  undo(): void
  redo(): void
  /** Ignores ids that the document doesn't have: React Flow may still report a card that was just renamed. */
  select(ids: readonly string[]): void
  setIssues(issues: readonly Issue[], warnings: readonly Issue[]): void
  /** Selects the card of the path (none for a part of the workflow itself), and focuses its field. */
  focusOn(path: string): void
}

export type DocumentStore = StoreApi<DocumentState>

const historyMax = 500

/** `isReadOnly`: changes are ignored. */
export function createDocumentStore(document: WorkflowDocument, { isReadOnly = false } = {}): DocumentStore {
  return createStore<DocumentState>((set, get) => {
    function commit(label: string, next: WorkflowDocument, { key, variations: varied }: ChangeOptions): void {
      const { document: before, variations, past, selection } = get()
      if (isReadOnly || (next === before && (varied ?? variations) === variations)) return
      const last = past.at(-1)
      const isMerged = key !== undefined && last?.key === key && get().future.length === 0
      const entries = isMerged
        ? past
        : [...past, { document: before, variations, label, key, selection }].slice(-historyMax)
      set({
        document: next,
        variations: varied ?? variations,
        past: entries,
        future: [],
        selection: pruneSelection(selection, next),
      })
    }
    return {
      document,
      variations: {},
      past: [],
      future: [],
      selection: [],
      issues: [],
      warnings: [],
      focus: undefined,
      change: (label, recipe, { from, ...options } = {}) =>
        commit(label, produce(from ?? get().document, recipe), options),
      endGesture() {
        const { past, document: now, variations } = get()
        const last = past.at(-1)
        if (last?.key === undefined) return
        const isUnchanged = last.document === now && last.variations === variations
        set({ past: [...past.slice(0, -1), ...(isUnchanged ? [] : [{ ...last, key: undefined }])] })
      },
      cancelGesture(key) {
        const { past, selection } = get()
        const last = past.at(-1)
        if (last?.key !== key) return
        set({
          document: last.document,
          past: past.slice(0, -1),
          selection: pruneSelection(selection, last.document),
        })
      },
      vary: (label, variations) => commit(label, get().document, { variations }),
      setVariations: (variations) => set({ variations }),
      replace: (label, next) => commit(label, next, {}),
      undo() {
        const { past, future, document: current, variations, selection } = get()
        const last = past.at(-1)
        if (last === undefined) return
        const undone = { document: current, variations, label: last.label, key: undefined, selection }
        set({
          document: last.document,
          variations: last.variations,
          past: past.slice(0, -1),
          future: [undone, ...future],
          selection: selectionAt(last, selection),
        })
      },
      redo() {
        const { past, future, document: current, variations, selection } = get()
        const [next, ...rest] = future
        if (next === undefined) return
        const redone = { document: current, variations, label: next.label, key: undefined, selection }
        set({
          document: next.document,
          variations: next.variations,
          past: [...past, redone],
          future: rest,
          selection: selectionAt(next, selection),
        })
      },
      select: (ids) => set({ selection: pruneSelection(ids, get().document) }),
      setIssues: (issues, warnings) => set({ issues: distinct(issues), warnings: distinct(warnings) }),
      focusOn(path) {
        const card = cardOf(path)
        const isCard = card !== undefined && (card === outputId || Object.hasOwn(get().document.nodes, card))
        const isOfWorkflow = ['name', 'description', 'parameters', 'examples'].includes(firstKey(path))
        const selection = isCard ? [card] : isOfWorkflow ? [] : get().selection
        set({ selection, focus: { path, at: (get().focus?.at ?? 0) + 1 } })
      },
    }
  })
}

/** Removes duplicates: a value can fail two rules with the same message. */
function distinct(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.path} ${issue.message}`, issue])).values()]
}

/** The selected cards that an entry has. If it has none of them, those that were selected with it: undo of a new node selects the one before. */
function selectionAt(entry: HistoryEntry, selection: readonly string[]): readonly string[] {
  const kept = pruneSelection(selection, entry.document)
  return kept.length > 0 || selection.length === 0 ? kept : pruneSelection(entry.selection, entry.document)
}

function pruneSelection(selection: readonly string[], document: WorkflowDocument): readonly string[] {
  const isThere = (id: string) => id === outputId || Object.hasOwn(document.nodes, id) || noteOf(document, id)
  const existing = selection.filter(isThere)
  return existing.length === selection.length ? selection : existing
}
