import { Button, CopyButton, Group, Skeleton, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Code, History } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { followExecution, type LiveExecution, readExecution } from '../../api/execution-events.ts'
import { isEnded } from '../../api/executions.ts'
import { imageIdOf } from '../../api/images.ts'
import { pictureHtml, type ShownOutput } from '../../api/outputs.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { OutputsView } from '../../ui/outputs-view.tsx'
import { Page } from '../../ui/page.tsx'
import { ExecutionActions } from './actions.tsx'
import classes from './execution.module.css'
import { Facts } from './facts.tsx'
import { FailureNotice } from './failure.tsx'
import { Inputs } from './inputs.tsx'
import { StatusBadge } from './status-badge.tsx'
import { Warnings } from './warnings.tsx'
import { WaterfallChart } from './waterfall-chart.tsx'

const route = getRouteApi('/shell/executions/$executionId')

/** One execution: its output, steps and parameters. It is updated while it runs. */
export function ExecutionPage() {
  const { executionId } = route.useParams()
  const { data, error, refetch } = useExecution(executionId)
  const names = useWorkflowNames(data === undefined ? [] : [data.execution.workflowId])
  const name = data === undefined ? undefined : names.get(data.execution.workflowId)
  return (
    <Page
      title={name ?? 'Execution'}
      docs="debug-executions"
      actions={data && <ExecutionActions execution={data.execution} />}
    >
      <Group gap="sm" mt={-8} mb="lg">
        <Button
          component={Link}
          to="/executions"
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<ArrowLeft size={14} aria-hidden />}
        >
          All executions
        </Button>
        {data && <StatusBadge status={data.execution.status} reason={data.execution.error?.details.reason} />}
      </Group>
      {data !== undefined ? (
        <ExecutionDetails live={data} name={name ?? 'the workflow'} />
      ) : error !== null ? (
        <LoadFailed
          title="The execution couldn’t be loaded"
          error={error}
          onRetry={() => void refetch()}
          instead={
            <Button component={Link} to="/executions">
              All executions
            </Button>
          }
        />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Page>
  )
}

function ExecutionDetails({ live: { execution, steps }, name }: { live: LiveExecution; name: string }) {
  const { output, error, status, parameters = {} } = execution
  return (
    <>
      {error && <FailureNotice error={error} execution={execution} />}
      <Warnings steps={steps} />
      <div className={classes.columns}>
        <div>
          <Section title="Output">
            {output === undefined ? (
              <div className={classes.empty}>{status === 'failed' ? 'No image.' : 'Working on it …'}</div>
            ) : (
              <div className={classes.output}>
                <OutputsView
                  execution={execution}
                  alt={`Output of ${name}`}
                  actions={(shown, url) => <OutputActions output={shown} url={url} />}
                />
              </div>
            )}
          </Section>
        </div>
        <div>
          <Section title="Execution">
            <Facts execution={execution} />
          </Section>
          <Section title="Parameters">
            <Inputs parameters={parameters} />
          </Section>
        </div>
      </div>
      <Section title="Steps">
        {steps.length === 0 ? (
          <Text size="sm" c="dimmed">
            {status === 'failed' ? 'No step has started.' : 'Waiting for a free slot.'}
          </Text>
        ) : (
          <WaterfallChart execution={execution} steps={steps} />
        )}
      </Section>
    </>
  )
}

/** `url`: that of the shown file. */
function OutputActions({ output, url }: { output: ShownOutput; url: string }) {
  return (
    <Group gap="xs" mt="xs">
      {output.srcset !== undefined && (
        <CopyButton value={pictureHtml(output)}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" leftSection={<Code size={14} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy HTML'}
            </Button>
          )}
        </CopyButton>
      )}
      <Button
        component={Link}
        to="/verify"
        search={{ image: imageIdOf(url) } as never}
        size="xs"
        variant="default"
        leftSection={<History size={14} aria-hidden />}
      >
        History
      </Button>
    </Group>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** An execution and its steps: loaded once, then updated by events until it ends. */
function useExecution(executionId: string) {
  const queryClient = useQueryClient()
  const queryKey = ['execution', executionId, 'live']
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readExecution(executionId, signal),
    staleTime: 60_000,
  })
  const isLoaded = query.data !== undefined
  // Not stopped by the event of the end: the complete record, which has the cost, is read after it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has only the id
  useEffect(() => {
    const loaded = queryClient.getQueryData<LiveExecution>(queryKey)
    if (!isLoaded || loaded === undefined || isEnded(loaded.execution)) return
    return followExecution(executionId, { onChange: (live) => queryClient.setQueryData(queryKey, live) })
  }, [isLoaded, executionId, queryClient])
  return query
}
