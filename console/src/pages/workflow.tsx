import { Alert, Button, Center, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { OpenWorkflow } from '../workflow/open-workflow.tsx'
import { useWorkflow } from '../workflow/use-workflow.ts'
import classes from '../workflow/workflow.module.css'

/** One workflow: its draft in the editor, and every page of it. */
export function WorkflowPage() {
  const { workflowId } = useParams({ from: '/shell/workflows/$workflowId' })
  const { loaded, error, isMissing } = useWorkflow(workflowId)
  if (loaded !== undefined) return <OpenWorkflow key={workflowId} loaded={loaded} />
  if (isMissing)
    return (
      <Center mih="60vh" p="lg">
        <Stack align="center" gap="xs">
          <Title order={2}>There is no such workflow</Title>
          <Text c="dimmed">It may have been deleted, or belongs to another account.</Text>
          <Button mt="sm" component={Link} to="/workflows">
            To the workflows
          </Button>
        </Stack>
      </Center>
    )
  if (error !== null)
    return (
      <Center mih="60vh" p="lg">
        <Alert color="red" title="The workflow could not be loaded">
          {error.message}
        </Alert>
      </Center>
    )
  return <LoadingWorkflow />
}

function LoadingWorkflow() {
  return (
    <div className={classes.page} aria-busy>
      <div className={classes.header}>
        <Skeleton height={24} width={220} />
      </div>
      <Skeleton flex={1} radius={0} />
    </div>
  )
}
