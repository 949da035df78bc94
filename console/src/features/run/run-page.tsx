import { Alert, Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Link2, Play, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ParameterFields } from '../../editor/form/parameter-fields.tsx'
import { useAskBeforeRun } from '../../editor/results/ask-above.tsx'
import { AskAboveButton } from '../../editor/results/ask-above-button.tsx'
import { priceWithSource } from '../../editor/results/price.ts'
import { StepList } from '../../editor/run/step-list.tsx'
import { useFocusInvalid } from '../../editor/run/use-focus-invalid.ts'
import { parameterIssues } from '../../editor/state/parameter-values.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { dollars, duration } from '../../ui/format.ts'
import { OutputsView } from '../../ui/outputs-view.tsx'
import { ManyRows } from './many-rows.tsx'
import classes from './run-page.module.css'
import { ShareButton } from './share-button.tsx'
import { useWorkflowRun, type WorkflowRun } from './use-workflow-run.ts'

const route = getRouteApi('/shell/workflows/$workflowId/run')

/** The workflow as an app: its parameters as a form, and the image. */
export function RunPage() {
  const { workflowId } = route.useParams()
  const { from } = route.useSearch()
  const workflowRun = useWorkflowRun(workflowId, from)
  const { canRun, priceNow, run: runNow } = workflowRun
  const { ask, dialog } = useAskBeforeRun()
  const run = () => ask(priceNow, runNow)
  useCommands([
    {
      id: 'run.start',
      title: 'Run',
      group: 'Run',
      shortcuts: ['mod+Enter'],
      reach: 'everywhere',
      isEnabled: () => canRun,
      run,
    },
  ])
  return (
    <div className={classes.app}>
      <RunForm {...workflowRun} run={run} workflowId={workflowId} />
      {dialog}
      <RunResult {...workflowRun} />
    </div>
  )
}

function RunForm({ workflowId, ...workflowRun }: WorkflowRun & { workflowId: string }) {
  const { document, isDraft, values, setValues, repeatError, problem } = workflowRun
  const form = useFocusInvalid<HTMLDivElement>(problem)
  const { parameters = [] } = document ?? {}
  return (
    <Stack ref={form} gap="lg" className={classes.form ?? ''}>
      <div>
        <Title order={2} size="h3" className={classes.name ?? ''}>
          {document?.name}
        </Title>
        {document?.description && (
          <Text size="sm" c="dimmed" mt={4}>
            {document.description}
          </Text>
        )}
      </div>
      {repeatError !== null && (
        <Alert color="gray" title="The values of this link are no longer available">
          The execution of this link can’t be read: {repeatError.message}
        </Alert>
      )}
      {isDraft && (
        <Alert color="copper" title="Not published yet">
          This runs the draft. API calls work after you publish the workflow.
        </Alert>
      )}
      {parameters.length === 0 && document !== undefined ? (
        <Text size="sm" c="dimmed">
          This workflow has no parameters.
        </Text>
      ) : (
        <ParameterFields
          parameters={parameters}
          values={values}
          onChange={setValues}
          issues={parameterIssues(problem)}
        />
      )}
      <RunButtons {...workflowRun} workflowId={workflowId} />
      <RunPrice {...workflowRun} />
      <RunOutcome {...workflowRun} />
      {document !== undefined && !isDraft && parameters.length > 0 && <ManyRows workflowId={workflowId} />}
    </Stack>
  )
}

function RunButtons({ workflowId, ...workflowRun }: WorkflowRun & { workflowId: string }) {
  const { document, isDraft, execution, isRunning, isStarting, canRun, run, cancel } = workflowRun
  const isPublished = document !== undefined && !isDraft
  return (
    <Group gap="sm">
      {isRunning && !isStarting ? (
        <Button variant="default" size="md" leftSection={<Square size={16} />} onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button size="md" leftSection={<Play size={16} />} onClick={run} disabled={!canRun} loading={isStarting}>
          Run
        </Button>
      )}
      {isPublished && <ShareButton workflowId={workflowId} exampleImageId={execution?.output?.imageId} />}
      <CopyButton value={`${window.location.origin}/workflows/${workflowId}/run`}>
        {({ copied, copy }) => (
          <Button variant="subtle" color="gray" size="md" leftSection={<Link2 size={16} />} onClick={copy}>
            {copied ? 'Copied' : 'Copy link'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

/** The price before a run, and the reason. */
function RunPrice({ price, isRandom }: WorkflowRun) {
  if (price === undefined) return null
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed">
        {isRandom ? 'Each run makes a new image with AI' : 'A run calls AI models'}: {priceWithSource(price)}.
      </Text>
      <AskAboveButton />
    </Group>
  )
}

function RunOutcome({ execution, problem }: WorkflowRun) {
  const failure = execution?.error?.message ?? problem?.message
  return (
    <div role="status">
      {failure !== undefined && (
        <Alert color="red" title="The execution failed">
          {failure}
        </Alert>
      )}
      {execution?.status === 'completed' && (
        <Text size="sm" c="dimmed">
          Done in {duration(execution.duration ?? 0)}
          {execution.cost?.usd ? `, ${dollars(execution.cost.usd)}` : ''}.{' '}
          <Link to="/executions/$executionId" params={{ executionId: execution.executionId }} className={classes.link}>
            View the execution
          </Link>
        </Text>
      )}
    </div>
  )
}

function RunResult({ document, execution, isOutdated, steps, isRunning }: WorkflowRun) {
  const result = useRef<HTMLDivElement>(null)
  const url = execution?.output?.url
  useEffect(() => {
    // On a narrow page the image is below the form and can be out of sight.
    if (url !== undefined && window.matchMedia('(max-width: 760px)').matches)
      result.current?.scrollIntoView({ block: 'nearest' })
  }, [url])
  return (
    <div ref={result} className={classes.result}>
      {execution?.output ? (
        <OutputsView execution={execution} alt={document?.name ?? 'The result'} isOutdated={() => isOutdated} />
      ) : (
        <div className={classes.nothing}>
          {isRunning ? <StepList steps={steps} /> : <Text c="dimmed">Your image will appear here.</Text>}
        </div>
      )}
    </div>
  )
}
