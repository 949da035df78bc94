import { VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useDocument, useEditor, usePublishedWorkflow } from '../../editor/state/editor-context.ts'
import { Comparison } from '../../editor/versions/comparison.tsx'
import { chosenSides, useVersions } from '../../editor/versions/side.ts'
import { useIsPublished } from '../../editor/versions/use-is-published.ts'
import { VersionList } from '../../editor/versions/version-list.tsx'
import classes from './versions-page.module.css'

const route = getRouteApi('/shell/workflows/$workflowId/versions')

/** The versions of a workflow, and the comparison of two of them. */
export function VersionsPage() {
  const { workflowId } = useEditor()
  const workflow = usePublishedWorkflow()
  const search = route.useSearch()
  const { versions, isFetching, hasNextPage, fetchNextPage } = useVersions(workflowId, workflow !== null)
  const name = useDocument((state) => state.document.name)
  const isPublished = useIsPublished()
  const hasDraft = workflow === null || !isPublished || search.to === 'draft' || search.from === 'draft'
  const sides = chosenSides(search, workflow?.version, hasDraft)
  return (
    <div className={classes.page}>
      <title>{`Versions of ${name || 'Untitled'} · Tintype`}</title>
      <VisuallyHidden component="h1">Versions</VisuallyHidden>
      <VersionList
        workflowId={workflowId}
        versions={versions}
        hasDraft={hasDraft}
        sides={sides}
        isLoading={workflow !== null && versions.length === 0}
        onMore={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
      />
      <section className={classes.comparison} aria-label="Comparison">
        <Comparison sides={sides} versions={versions} />
      </section>
    </div>
  )
}
