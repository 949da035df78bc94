import { Anchor, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Execution } from '../../api/types.ts'
import { dollars, fullTime, originTexts } from '../../ui/format.ts'
import { Elapsed } from './elapsed.tsx'
import classes from './execution.module.css'

/** Start, duration, cost, version and origin of an execution. */
export function Facts({ execution }: { execution: Execution }) {
  const { executionId, workflowId, workflowVersion, draft, node, createdAt, cost, resumedFrom } = execution
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Started</dt>
        <dd>{createdAt === undefined ? '' : fullTime(createdAt)}</dd>
      </div>
      <div>
        <dt>Duration</dt>
        <dd>
          <Elapsed execution={execution} />
        </dd>
      </div>
      {cost !== undefined && (
        <div>
          <dt>Cost</dt>
          <dd>
            {dollars(cost.usd)}
            {cost.unknown ? ` at most: ${cost.unknown} calls of unknown cost` : ''}
          </dd>
        </div>
      )}
      <div>
        <dt>Version</dt>
        <dd>
          <Anchor component={Link} to="/workflows/$workflowId/versions" params={{ workflowId } as never} size="sm">
            {draft ? 'Draft at the time of the execution' : `Version ${workflowVersion}`}
          </Anchor>
          {node === undefined ? '' : `, to ${node}`}
        </dd>
      </div>
      {execution.output?.origin && (
        <div>
          <dt>Origin</dt>
          <dd>{originTexts[execution.output.origin]}</dd>
        </div>
      )}
      {resumedFrom !== undefined && (
        <div>
          <dt>Resumes</dt>
          <dd>
            <Anchor
              component={Link}
              to="/executions/$executionId"
              params={{ executionId: resumedFrom } as never}
              size="sm"
            >
              {resumedFrom}
            </Anchor>
          </dd>
        </div>
      )}
      <div>
        <dt>Id</dt>
        <dd>
          <CopyButton value={executionId}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copied' : 'Copy'}>
                <UnstyledButton onClick={copy} className={classes.id ?? ''}>
                  <Text span ff="monospace" size="xs">
                    {executionId}
                  </Text>
                </UnstyledButton>
              </Tooltip>
            )}
          </CopyButton>
        </dd>
      </div>
    </dl>
  )
}
