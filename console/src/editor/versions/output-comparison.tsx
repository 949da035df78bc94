import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endedExecution } from '../../api/execution-events.ts'
import { executeDraft, executeWorkflow, executionsQuery } from '../../api/executions.ts'
import type { Execution } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { ComparedOutputs } from '../../ui/compared-outputs.tsx'
import { ExampleComparison } from '../../ui/example-comparison.tsx'
import { useUnmounted } from '../../ui/use-unmounted.ts'
import { useEditor } from '../state/editor-context.ts'
import type { Side } from './search.ts'
import { sideName } from './side.ts'

interface Props {
  from: Side
  to: Side
  after: WorkflowDocument
  newest: number | undefined
}

/** The images of both versions under a slider: of the last executions, or of new ones if both can run. */
export function OutputComparison({ from, to, after, newest }: Props) {
  const { workflowId, autosave } = useEditor()
  const queryClient = useQueryClient()
  const past = useQuery(executionsQuery({ workflowId, status: 'completed' }, { limit: 100 }))
  const unmounted = useUnmounted()
  const canRun = from === newest && to === 'draft'
  const running = useMutation({
    async mutationFn(parameters: ParameterValues) {
      await autosave.flush()
      const started = await Promise.all([
        executeWorkflow(workflowId, { parameters }),
        executeDraft(workflowId, { parameters }),
      ])
      return Promise.all(started.map(({ executionId }) => endedExecution(executionId, unmounted())))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['executions'] }),
  })
  const [before, now] = running.data ?? pairOf(past.data?.executions ?? [], from, to)
  const failed = [before, now].find((execution) => execution?.status === 'failed')
  const initialParameters = after.examples?.[0]?.parameters ?? now?.parameters ?? before?.parameters ?? {}
  return (
    <div>
      {before?.output && now?.output ? (
        <ComparedOutputs before={before} after={now} names={[sideName(from), sideName(to)]} />
      ) : (
        <Text size="sm" c="dimmed" mb="sm">
          {past.isPending
            ? 'Looking for images of both versions.'
            : `Run ${before?.output ? sideName(to) : sideName(from)} to compare both images here.`}
        </Text>
      )}
      {(running.error ?? failed?.error) && (
        <Alert color="red" mb="sm" title="A version couldn’t be run">
          {(running.error ?? failed?.error)?.message}
        </Alert>
      )}
      {canRun && (
        <Group gap="sm" align="flex-start">
          <Button
            size="xs"
            variant="default"
            loading={running.isPending}
            onClick={() => running.mutate(initialParameters as ParameterValues)}
          >
            Run both now
          </Button>
          <ExampleComparison workflowId={workflowId} document={after} onShow={(values) => running.mutate(values)} />
        </Group>
      )}
    </div>
  )
}

/** The newest execution of each side. Prefers two with the same parameters. */
export function pairOf(
  past: readonly Execution[],
  from: Side,
  to: Side,
): [Execution | undefined, Execution | undefined] {
  const [befores, afters] = [from, to].map((side) => past.filter((execution) => isOf(execution, side)))
  for (const now of afters ?? []) {
    const before = befores?.find(({ parameters }) => JSON.stringify(parameters) === JSON.stringify(now.parameters))
    if (before !== undefined) return [before, now]
  }
  return [befores?.[0], afters?.[0]]
}

function isOf({ draft, node, workflowVersion, output }: Execution, side: Side): boolean {
  if (output === undefined || node !== undefined) return false
  return side === 'draft' ? draft === true : draft !== true && workflowVersion === side
}
