import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { documentQuery, versionsQuery } from '../../api/workflows.ts'
import { useDocument } from '../state/editor-context.ts'
import type { Side, VersionsSearch } from './search.ts'

export function sideName(side: Side): string {
  return side === 'draft' ? 'the draft' : `version ${side}`
}

export interface Sides {
  from?: Side
  to: Side
}

/** The two compared sides: from the URL, or the newest version and the draft. */
export function chosenSides({ from, to }: VersionsSearch, newest: number | undefined, hasDraft: boolean): Sides {
  const after = to ?? (hasDraft || newest === undefined ? 'draft' : newest)
  const before = from ?? (after === 'draft' ? newest : after > 1 ? after - 1 : undefined)
  return { to: after, ...(before === undefined ? {} : { from: before }) }
}

/** The document of a version, or the current document of the editor for the draft. */
export function useSide(workflowId: string, side: Side | undefined): WorkflowDocument | undefined {
  const draft = useDocument((state) => state.document)
  const version = typeof side === 'number' ? side : undefined
  const saved = useQuery({ ...documentQuery(workflowId, version), enabled: version !== undefined })
  return side === 'draft' ? draft : version === undefined ? undefined : saved.data
}

export function useVersions(workflowId: string, isPublished: boolean) {
  const query = useInfiniteQuery({ ...versionsQuery(workflowId), enabled: isPublished })
  return { ...query, versions: query.data?.pages.flatMap((page) => page.versions) ?? [] }
}
