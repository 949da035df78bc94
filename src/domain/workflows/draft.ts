/** The editable copy of a workflow: saved while it is edited, valid or not, and published as its next version. */
import { limits } from '../../limits.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { CountedPage, PageRequest } from '../page.ts'
import type { DocumentSearch, StoredWorkflow, WorkflowDocument } from './workflow.ts'

/** Any JSON object. It is not validated before it is executed or published. */
export type DraftDocument = Record<string, unknown>

export interface DraftItem {
  /** The id of the workflow. It is reserved if the workflow was never published. */
  workflowId: string
  accountId: string
  projectId: string
  name: string
  /** The version that it is based on; 0 if there is none. */
  baseVersion: number
  /** Counts the saves of all drafts of the workflow, so that no revision occurs twice. */
  revision: number
  createdAt: number
  updatedAt: number
}

export interface Draft extends DraftItem {
  document: DraftDocument
}

/** The fields that a save changes. */
export type DraftSave = Pick<Draft, 'name' | 'document' | 'updatedAt'>

export interface DraftStore {
  /** Stores the first draft of a new workflow, and reserves the id. With `record`: see `KeyTaken`. Throws `QuotaReached` above `draftsMax`. */
  create(draft: Draft, record?: NewIdempotencyRecord): Promise<void>
  /**
   * Stores a draft of an existing workflow. Returns its revision, which continues from the previous draft. Undefined if the
   * workflow has a draft, or was deleted. Throws `QuotaReached` above `draftsMax`.
   */
  begin(draft: Draft): Promise<number | undefined>
  find(accountId: string, workflowId: string): Promise<Draft | undefined>
  /** Newest first. `search`: a part of the name, case-insensitive. */
  list(accountId: string, page: PageRequest, filter: DraftFilter): Promise<CountedPage<DraftItem>>
  /** Drafts of these workflows of the account that contain the text, such as an id. */
  containing(accountId: string, workflowIds: readonly string[], text: string): Promise<DocumentSearch>
  /** Undefined if the draft is missing, or its revision is not `ifRevision`. */
  save(accountId: string, workflowId: string, save: DraftSave, ifRevision?: number): Promise<DraftItem | undefined>
  /**
   * Writes the workflow with its new version and removes the draft, in one transaction. If `document` is undefined, it removes
   * the draft only. Throws `QuotaReached` if it is the first version, above `workflowsMax`.
   */
  publish(publication: Publication, record?: NewIdempotencyRecord): Promise<Published>
  /**
   * False if the draft is missing. The id of a workflow that was never published stays reserved only if executions have it: their images belong
   * to its project.
   */
  remove(accountId: string, workflowId: string): Promise<boolean>
}

export interface DraftFilter {
  workflowId?: string
  projectId?: string
  search?: string
}

export interface Publication {
  /** The workflow to store. */
  workflow: StoredWorkflow
  document: WorkflowDocument | undefined
  note: string | undefined
  /** The revision of the draft. */
  revision: number
  /** The newest version before; 0 if there is none. */
  expectedVersion: number
}

/** `changed`: the draft was saved or removed since. `newer`: the workflow has a newer version. */
export type Published = 'published' | 'changed' | 'newer'

const unnamed = 'Untitled'

/** The name in the document, as far as it can be the name of a workflow. */
export function nameOfDraft({ name }: DraftDocument): string {
  if (typeof name !== 'string') return unnamed
  const storable = [...name.replaceAll('\u0000', '').trim()].slice(0, limits.nameCharsMax).join('')
  return storable === '' ? unnamed : storable
}
