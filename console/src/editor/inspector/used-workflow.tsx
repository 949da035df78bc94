import { Alert, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usedOperationOf } from '../form/used-operation.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { VersionUpdate } from './version-update.tsx'

/** The workflow of a node, and its newest version if the node uses another one. */
export function UsedWorkflow({ id }: { id: string }) {
  const { catalogue, document: store } = useEditor()
  const node = useDocument(({ document }) => document.nodes[id])
  const [isComparing, setComparing] = useState(false)
  const used = usedOperationOf(catalogue, node)
  if (used === undefined)
    return (
      <Alert color="red" title="Unknown workflow">
        {node?.workflow ?? 'The node'} doesn’t name a version of a workflow of this account. Reload the page if it was
        published a moment ago.
      </Alert>
    )
  const { workflowId, newestVersion } = used
  const [slug, version] = used.id.split('@')
  const update = () =>
    store.getState().change(`Use version ${newestVersion} of ${slug}`, (document) => {
      const changed = document.nodes[id]
      if (changed !== undefined) changed.workflow = `${slug}@${newestVersion}`
    })
  return (
    <section className={classes.section} aria-label="Workflow">
      <Group gap="xs">
        <Button
          component={Link}
          to="/workflows/$workflowId"
          params={{ workflowId } as never}
          variant="default"
          size="xs"
        >
          Open workflow
        </Button>
      </Group>
      {newestVersion !== Number(version) && (
        <Alert mt="sm" title={`Version ${newestVersion} is available`}>
          This node uses version {version}.
          <Group mt="xs" gap="xs">
            <Button size="xs" variant="default" onClick={() => setComparing(true)}>
              Compare both
            </Button>
            <Button size="xs" onClick={update}>
              Use version {newestVersion}
            </Button>
          </Group>
        </Alert>
      )}
      {isComparing && (
        <VersionUpdate
          id={id}
          used={used}
          onClose={() => setComparing(false)}
          onUpdate={() => {
            setComparing(false)
            update()
          }}
        />
      )}
    </section>
  )
}
