import { Alert, Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { OpenWorkflow, WorkflowSkeleton } from '../../editor/open-workflow.tsx'
import { type LoadedWorkflow, useWorkflow } from '../../editor/use-workflow.ts'

/** Loads a workflow and opens it in the editor. */
export function WorkflowPage() {
  const { workflowId } = useParams({ from: '/shell/workflows/$workflowId' })
  const { loaded, error, isMissing } = useWorkflow(workflowId)
  // The open editor stays while its data is fetched again: publishing ends the draft, but the undo history, the
  // selection and the last run are kept.
  const last = useRef<LoadedWorkflow>(undefined)
  if (loaded !== undefined) last.current = loaded
  if (last.current?.workflowId === workflowId) return <OpenWorkflow key={workflowId} loaded={last.current} />
  if (isMissing)
    return (
      <Center mih="60vh" p="lg">
        <Stack align="center" gap="xs">
          <Title order={1} size="h2">
            Workflow not found
          </Title>
          <Text c="dimmed">It may have been deleted, or belongs to another account.</Text>
          <Button mt="sm" component={Link} to="/workflows">
            Go to workflows
          </Button>
        </Stack>
      </Center>
    )
  if (error !== null)
    return (
      <Center mih="60vh" p="lg">
        <Alert color="red" title="The workflow couldn’t be loaded">
          {error.message}
        </Alert>
      </Center>
    )
  return <WorkflowSkeleton />
}
