/** What is being made of a workflow: saved as it is typed, whole or not, and published as its next version. */
import { limits } from '../limits.ts'
import type { NewIdempotencyRecord } from './idempotency.ts'
import type { Page, PageRequest } from './page.ts'
import type { Workflow, WorkflowDocument } from './workflow.ts'

/** Any JSON object: nothing of it is checked before it is executed or published. */
export type DraftDocument = Record<string, unknown>

export interface DraftItem {
  /** Of a workflow that was never published, the id that is reserved for it. */
  workflowId: string
  accountId: string
  projectId: string
  name: string
  /** The version that it began from; 0 where there was none. */
  baseVersion: number
  /** Counts saves, on through all drafts of the workflow, so that no revision comes twice. */
  revision: number
  createdAt: number
  updatedAt: number
}

export interface Draft extends DraftItem {
  document: DraftDocument
}

/** What a save changes. */
export type DraftSave = Pick<Draft, 'name' | 'document' | 'updatedAt'>

export interface DraftStore {
  /** The first draft of a new workflow, whose id is reserved with it. With `record`: see `KeyTaken`. */
  create(draft: Draft, record?: NewIdempotencyRecord): Promise<void>
  /**
   * A draft of a workflow that there is. Gives its revision, which goes on from that of the one before; undefined when there is a
   * draft already, or the workflow has been deleted.
   */
  begin(draft: Draft): Promise<number | undefined>
  find(accountId: string, workflowId: string): Promise<Draft | undefined>
  /** Newest first. `search`: a part of the name, in any case. */
  list(accountId: string, page: PageRequest, filter: DraftFilter): Promise<Page<DraftItem>>
  /** Undefined when there is none, or it is not at `ifRevision`. */
  save(accountId: string, workflowId: string, save: DraftSave, ifRevision?: number): Promise<DraftItem | undefined>
  /**
   * Writes the workflow with its new version, the first one too, and takes the draft away, all or nothing. Undefined as
   * `document`: the draft goes, and there is no new version.
   */
  publish(publication: Publication, record?: NewIdempotencyRecord): Promise<Published>
  /** False when there is none. The reserved id stays reserved, for the executions of the draft. */
  remove(accountId: string, workflowId: string): Promise<boolean>
}

export interface DraftFilter {
  workflowId?: string
  projectId?: string
  search?: string
}

export interface Publication {
  /** As it is written. */
  workflow: Workflow
  document: WorkflowDocument | undefined
  note: string | undefined
  /** The draft that is published. */
  revision: number
  /** The newest version before; 0 where there is none. */
  expectedVersion: number
}

/** `changed`: the draft has been saved or taken away since. `newer`: so has the workflow. */
export type Published = 'published' | 'changed' | 'newer'

const unnamed = 'Untitled'

/** What the document says, as far as that can be the name of a workflow. */
export function nameOfDraft({ name }: DraftDocument): string {
  if (typeof name !== 'string') return unnamed
  const storable = [...name.replaceAll('\u0000', '').trim()].slice(0, limits.nameCharsMax).join('')
  return storable === '' ? unnamed : storable
}
