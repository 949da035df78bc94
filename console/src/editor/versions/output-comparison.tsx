import { Alert, Button, Group, Select, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { followExecution } from '../../api/execution-events.ts'
import { executeDraft, executeWorkflow, executionsQuery, isEnded } from '../../api/executions.ts'
import { keyOf, outputsOf, titleOf } from '../../api/outputs.ts'
import type { Execution } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { shownPath } from '../../ui/thumbnail.tsx'
import { useEditor } from '../state/editor-context.ts'
import { ExampleComparison } from './examples.tsx'
import classes from './output-comparison.module.css'
import type { Side } from './search.ts'
import { sideName } from './side.ts'

const Compare = lazy(() => import('../../ui/compare.tsx').then(({ Compare: Slider }) => ({ default: Slider })))

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
  const past = useQuery(executionsQuery({ workflowId, status: 'completed' }, { limit: 100, offset: 0 }))
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    unmounted.current = controller
    return () => controller.abort()
  }, [])
  const canRun = from === newest && to === 'draft'
  const running = useMutation({
    async mutationFn(parameters: ParameterValues) {
      await autosave.flush()
      const started = await Promise.all([
        executeWorkflow(workflowId, { parameters }),
        executeDraft(workflowId, { parameters }),
      ])
      return Promise.all(started.map(({ executionId }) => ended(executionId, unmounted.current.signal)))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['executions'] }),
  })
  const [before, now] = running.data ?? pairOf(past.data?.executions ?? [], from, to)
  const failed = [before, now].find((execution) => execution?.status === 'failed')
  const initialParameters = after.examples?.[0]?.parameters ?? now?.parameters ?? before?.parameters ?? {}
  return (
    <div>
      {before?.output && now?.output ? (
        <Sliders before={before} now={now} from={from} to={to} />
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

interface SlidersProps extends Pick<Props, 'from' | 'to'> {
  before: Execution
  now: Execution
}

/** Both images of an output that both executions have, and the choice of the output. */
function Sliders({ before, now, from, to }: SlidersProps) {
  const [chosen, setChosen] = useState<string>()
  const pairs = outputsOf(now).flatMap((after) => {
    const was = outputsOf(before).find((output) => keyOf(output) === keyOf(after))
    return was === undefined ? [] : [{ key: keyOf(after), title: titleOf(after), was, after }]
  })
  const shown = pairs.find(({ key }) => key === chosen) ?? pairs[0]
  if (shown === undefined) return null
  return (
    <>
      {pairs.length > 1 && (
        <Select
          size="xs"
          mb="xs"
          maw={220}
          aria-label="Compared output"
          allowDeselect={false}
          data={pairs.map(({ key, title }) => ({ value: key, label: title }))}
          value={shown.key}
          onChange={(key) => setChosen(key ?? undefined)}
        />
      )}
      <Suspense>
        <div className={classes.slider}>
          <Compare before={shownPath(shown.was)} after={shownPath(shown.after)} />
        </div>
        <Group justify="space-between" mt={4} mb="sm" maw={720}>
          <Text size="xs" c="dimmed">
            {sideName(from)} · {shown.was.width} × {shown.was.height}
          </Text>
          <Text size="xs" c="dimmed">
            {sideName(to)} · {shown.after.width} × {shown.after.height}
          </Text>
        </Group>
      </Suspense>
    </>
  )
}

/** The newest execution of each side. Prefers two with the same parameters. */
function pairOf(past: readonly Execution[], from: Side, to: Side): [Execution | undefined, Execution | undefined] {
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

function ended(executionId: string, signal: AbortSignal): Promise<Execution> {
  return new Promise((resolve, reject) => {
    const stop = followExecution(executionId, {
      onChange: ({ execution }) => isEnded(execution) && resolve(execution),
      onError: reject,
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
