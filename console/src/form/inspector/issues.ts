import { useMemo } from 'react'
import type { Issue } from '../../api/client.ts'
import { useEditor } from '../../document/editor-context.tsx'
import { isWithin } from '../value.ts'

/** What the API says is wrong at a path of the document, and below it. */
export function useIssuesOf(at: string): readonly Issue[] {
  const all = useEditor((state) => state.issues)
  return useMemo(() => all.filter(({ path }) => isWithin(path, at)), [all, at])
}
