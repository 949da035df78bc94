/** The entries of the gallery: workflows with the state of their drafts, and drafts of unpublished workflows. */
import type { DraftItem } from '../../api/drafts.ts'
import type { WorkflowItem } from '../../api/types.ts'
import type { Sorting } from './search.ts'

export interface Entry {
  workflowId: string
  name: string
  projectId: string
  createdAt: string
  updatedAt: string
  lastOutput?: WorkflowItem['lastOutput']
  /** `new`: never published. `changed`: the draft has unpublished changes. */
  draft?: 'new' | 'changed'
}

interface Listed {
  workflows: readonly WorkflowItem[]
  drafts: readonly DraftItem[]
  /**
   * Whether all workflows are loaded. Otherwise, older drafts are left out until the workflows between them are loaded.
   */
  isComplete: boolean
  sort: Sorting
}

export function entriesOf({ workflows, drafts, isComplete, sort }: Listed): Entry[] {
  const drafted = new Map(drafts.map((draft) => [draft.workflowId, draft]))
  const published = workflows.map(({ id, ...item }): Entry => {
    const draft = drafted.get(id)
    if (draft === undefined) return { workflowId: id, ...item }
    const updatedAt = compare(draft.updatedAt, item.updatedAt) > 0 ? draft.updatedAt : item.updatedAt
    return { workflowId: id, ...item, updatedAt, draft: 'changed' }
  })
  const oldest = workflows.at(-1)?.createdAt ?? ''
  const unpublished = drafts
    .filter(({ baseVersion, createdAt }) => baseVersion === 0 && (isComplete || createdAt >= oldest))
    .map(({ baseVersion: _, revision: __, ...item }): Entry => ({ ...item, draft: 'new' }))
  return [...published, ...unpublished].toSorted(order[sort])
}

const order: Record<Sorting, (a: Entry, b: Entry) => number> = {
  newest: (a, b) => compare(b.createdAt, a.createdAt),
  updated: (a, b) => compare(b.updatedAt, a.updatedAt),
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' }),
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
