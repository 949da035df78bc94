import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleX, Copy, LocateFixed } from 'lucide-react'
import type { Execution } from '../../api/types.ts'
import classes from './execution.module.css'

type Failure = NonNullable<Execution['error']>

/** Details with a separate row. Other details come from model calls. */
const shownElsewhere = new Set(['issues', 'requestId', 'executionId', 'node', 'reason', 'operation', 'output'])

/** The error with its reason and node, and the request id for the operator. */
export function FailureNotice({ error, execution }: { error: Failure; execution: Execution }) {
  const { executionId, workflowId } = execution
  const { code, message, details } = error
  const { reason, requestId, node, output } = details as Record<string, string | undefined>
  const rest = Object.entries(details).filter(
    ([name, value]) => !shownElsewhere.has(name) && (typeof value === 'string' || typeof value === 'number'),
  )
  const facts = [
    ['Code', code],
    ['Reason', reason],
    ['Node', node],
    ['Output', output],
    ...rest,
    ['Request', requestId],
  ]
  return (
    <Alert color="red" variant="light" icon={<CircleX size={18} />} title={message} mb="lg">
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={String(name)}>
                <dt>{String(name)}</dt>
                <dd>
                  <Code>{String(value)}</Code>
                </dd>
              </div>
            ),
        )}
      </dl>
      <Issues issues={details.issues} />
      <Group gap="xs" mt="sm">
        {node !== undefined && (
          <Button
            component={Link}
            to="/workflows/$workflowId"
            params={{ workflowId } as never}
            search={{ execution: executionId } as never}
            size="xs"
            variant="default"
            leftSection={<LocateFixed size={14} aria-hidden />}
          >
            Open {node} in the editor
          </Button>
        )}
        <CopyButton value={JSON.stringify(error, null, 2)}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" leftSection={<Copy size={14} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy the error'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  )
}

function Issues({ issues }: { issues: unknown }) {
  if (!Array.isArray(issues)) return null
  return (issues as { path: string; message: string }[]).map(({ path, message }) => (
    <Text key={path} size="sm">
      <Code>{path}</Code> {message}
    </Text>
  ))
}
