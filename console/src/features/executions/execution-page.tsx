import { Button, CopyButton, Group, Skeleton, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, History, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LiveExecution } from '../../api/execution-events.ts'
import { onThisOrigin } from '../../api/executions.ts'
import { imageIdOf } from '../../api/images.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { ImageView } from '../../ui/image-view.tsx'
import { Page } from '../../ui/page.tsx'
import { ExecutionActions } from './actions.tsx'
import classes from './execution.module.css'
import { Facts } from './facts.tsx'
import { FailureNotice } from './failure.tsx'
import { Inputs } from './inputs.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useExecution } from './use-execution.ts'
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
  const { output, error, status, parameters = {}, workflowId } = execution
  return (
    <>
      {error && <FailureNotice error={error} workflowId={workflowId} />}
      <Warnings steps={steps} />
      <div className={classes.columns}>
        <div>
          <Section title="Output">
            {output === undefined ? (
              <div className={classes.empty}>{status === 'failed' ? 'No image.' : 'Working on it …'}</div>
            ) : (
              <div className={classes.output}>
                <ImageView
                  url={onThisOrigin(output.url)}
                  alt={`Output of ${name}`}
                  width={output.width}
                  height={output.height}
                  format={output.format}
                />
              </div>
            )}
            {output && (
              <Group gap="xs" mt="xs">
                <CopyButton value={output.url}>
                  {({ copied, copy }) => (
                    <Button size="xs" variant="default" leftSection={<Link2 size={14} aria-hidden />} onClick={copy}>
                      {copied ? 'Copied' : 'Copy URL'}
                    </Button>
                  )}
                </CopyButton>
                <Button
                  component={Link}
                  to="/verify"
                  search={{ image: imageIdOf(output.url) } as never}
                  size="xs"
                  variant="default"
                  leftSection={<History size={14} aria-hidden />}
                >
                  History
                </Button>
              </Group>
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
