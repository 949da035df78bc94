import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleStop, PenLine, Play, RotateCw } from 'lucide-react'
import { cancelExecution, isEnded, resumeExecution } from '../../api/executions.ts'
import type { Execution } from '../../api/types.ts'
import { showError } from '../../ui/show-error.ts'

/** The actions for an execution, depending on its status. */
export function ExecutionActions({ execution }: { execution: Execution }) {
  const { executionId, workflowId, status, error } = execution
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const onError = (error: Error) => showError('Something went wrong', error)
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['executions'] })
  const cancelling = useMutation({
    mutationFn: () => cancelExecution(executionId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['execution', executionId] }),
    onError,
    onSettled,
  })
  const resuming = useMutation({
    mutationFn: () => resumeExecution(executionId),
    onSuccess: (resumed) => navigate({ to: '/executions/$executionId', params: { executionId: resumed.executionId } }),
    onError,
    onSettled,
  })
  return (
    <Group gap="xs">
      {/* The notice of the failed node has this button. */}
      {error?.details.node === undefined && (
        <Button
          component={Link}
          to="/workflows/$workflowId"
          params={{ workflowId } as never}
          search={{ execution: executionId } as never}
          variant="default"
          leftSection={<PenLine size={16} aria-hidden />}
        >
          Open in the editor
        </Button>
      )}
      {!isEnded(execution) && (
        <Button
          color="red"
          variant="light"
          leftSection={<CircleStop size={16} aria-hidden />}
          loading={cancelling.isPending}
          onClick={() => cancelling.mutate()}
        >
          Cancel
        </Button>
      )}
      {status === 'failed' && (
        <Button
          variant="default"
          leftSection={<RotateCw size={16} aria-hidden />}
          loading={resuming.isPending}
          onClick={() => resuming.mutate()}
          title="Continues where it stopped. Finished steps don’t run again."
        >
          Resume
        </Button>
      )}
      <Button
        component={Link}
        to="/workflows/$workflowId/run"
        params={{ workflowId } as never}
        search={{ from: executionId } as never}
        leftSection={<Play size={16} aria-hidden />}
      >
        Run again with these values
      </Button>
    </Group>
  )
}
