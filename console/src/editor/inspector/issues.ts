import { useMemo } from 'react'
import type { Issue } from '../../api/client.ts'
import { isWithin } from '../document/path.ts'
import { useDocument } from '../state/editor-context.ts'

/** The API's issues at a path of the document and below it. */
export function useIssuesOf(at: string): readonly Issue[] {
  const all = useDocument((state) => state.issues)
  return useMemo(() => all.filter(({ path }) => isWithin(path, at)), [all, at])
}
