import { Alert, Button, CopyButton, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Link2, Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  cancelExecution,
  executeDraft,
  executeWorkflow,
  executionQuery,
  isEnded,
  onThisOrigin,
} from '../../api/executions.ts'
import type { ParameterValues } from '../../api/workflow-document.ts'
import { documentQuery, workflowQuery } from '../../api/workflows.ts'
import { ParameterFields } from '../../editor/form/parameter-fields.tsx'
import { StepList } from '../../editor/run/step-list.tsx'
import { useLiveExecution } from '../../editor/run/use-live-execution.ts'
import { useRefusedField } from '../../editor/run/use-refused-field.ts'
import { useDocument } from '../../editor/state/editor-context.ts'
import { declaredValues, parameterIssues } from '../../editor/state/parameter-values.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { duration } from '../../ui/format.ts'
import { Picture } from '../../ui/picture.tsx'
import classes from './run-page.module.css'

const route = getRouteApi('/shell/workflows/$workflowId/run')

/** The workflow as an app: its parameters as a form, and the picture. It runs what is published, whatever the draft says. */
export function RunPage() {
  const { workflowId } = route.useParams()
  const { from } = route.useSearch()
  const draft = useDocument((state) => state.document)
  const published = useQuery(workflowQuery(workflowId))
  const isPublished = published.data !== null && published.data !== undefined
  const saved = useQuery({ ...documentQuery(workflowId), enabled: isPublished })
  const former = useQuery({ ...executionQuery(from ?? ''), enabled: from !== undefined })
  const [typed, setTyped] = useState<ParameterValues>()
  const [problem, setProblem] = useState<Error>()
  const { live, follow } = useLiveExecution(setProblem)

  const document = isPublished ? saved.data : published.data === null ? draft : undefined
  const values = typed ?? former.data?.parameters ?? {}
  const starting = useMutation({
    mutationFn: async () => {
      if (document === undefined) return
      const parameters = declaredValues(document, values)
      const begin = isPublished ? executeWorkflow : executeDraft
      follow({ ...(await begin(workflowId, { parameters })), workflowId })
    },
    onMutate: () => setProblem(undefined),
    onError: setProblem,
  })
  const execution = live?.execution
  const isRunning = starting.isPending || (execution !== undefined && !isEnded(execution))
  const canRun = document !== undefined && !isRunning
  const run = () => starting.mutate()
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
  const form = useRefusedField<HTMLDivElement>(problem)
  const output = execution?.output
  const picture = useRef<HTMLDivElement>(null)
  const url = output?.url
  useEffect(() => {
    // Where it stands below the form, it would come unseen.
    if (url !== undefined && window.matchMedia('(max-width: 760px)').matches)
      picture.current?.scrollIntoView({ block: 'nearest' })
  }, [url])
  const failure = execution?.error?.message ?? problem?.message
  return (
    <div className={classes.app}>
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
        {former.error !== null && (
          <Alert color="gray" title="The values of the link are gone">
            The execution that it was made of cannot be read any more: {former.error.message}
          </Alert>
        )}
        {published.data === null && (
          <Alert color="copper" title="Not published yet">
            This runs the draft. Programs can execute it once it is published.
          </Alert>
        )}
        {(document?.parameters?.length ?? 0) === 0 && document !== undefined ? (
          <Text size="sm" c="dimmed">
            It takes no parameters.
          </Text>
        ) : (
          <ParameterFields
            parameters={document?.parameters ?? []}
            values={values}
            onChange={setTyped}
            issues={parameterIssues(problem)}
          />
        )}
        <Group gap="sm">
          {isRunning && execution ? (
            <Button
              variant="default"
              size="md"
              leftSection={<Square size={16} />}
              onClick={() => void cancelExecution(execution.executionId).catch(setProblem)}
            >
              Cancel
            </Button>
          ) : (
            <Button
              size="md"
              leftSection={<Play size={16} />}
              onClick={run}
              disabled={!canRun}
              loading={starting.isPending}
            >
              Run
            </Button>
          )}
          <CopyButton value={`${window.location.origin}/workflows/${workflowId}/run`}>
            {({ copied, copy }) => (
              <Button variant="subtle" color="gray" size="md" leftSection={<Link2 size={16} />} onClick={copy}>
                {copied ? 'Copied' : 'Copy the link'}
              </Button>
            )}
          </CopyButton>
        </Group>
        <div role="status">
          {failure !== undefined && (
            <Alert color="red" title="It did not work">
              {failure}
            </Alert>
          )}
          {execution?.status === 'completed' && (
            <Text size="sm" c="dimmed">
              Done in {duration(execution.duration ?? 0)}.{' '}
              <Link
                to="/executions/$executionId"
                params={{ executionId: execution.executionId }}
                className={classes.link}
              >
                See the execution
              </Link>
            </Text>
          )}
        </div>
      </Stack>
      <div ref={picture} className={classes.result}>
        {output ? (
          <Picture
            url={onThisOrigin(output.url)}
            alt={document?.name ?? 'The result'}
            width={output.width}
            height={output.height}
            format={output.format}
          />
        ) : (
          <div className={classes.nothing}>
            {isRunning ? <StepList steps={live?.steps ?? []} /> : <Text c="dimmed">The image comes here.</Text>}
          </div>
        )}
      </div>
    </div>
  )
}
