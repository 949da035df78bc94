import { Anchor, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { keyOf, outputsOf, titleOf } from '../../api/outputs.ts'
import type { Execution } from '../../api/types.ts'
import { dollars, fullTime, originTexts } from '../../ui/format.ts'
import { Elapsed } from './elapsed.tsx'
import classes from './execution.module.css'

/** Start, duration, cost, version and origin of an execution. */
export function Facts({ execution }: { execution: Execution }) {
  const { executionId, workflowId, workflowVersion, draft, node, createdAt, cost, resumedFrom, traceId } = execution
  const outputs = outputsOf(execution)
  const expiresAt = outputs[0]?.expiresAt
  const origins = outputs.flatMap((output) =>
    output.origin === undefined ? [] : [{ output, text: originTexts[output.origin] }],
  )
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
      {expiresAt !== undefined && (
        <div>
          <dt>Outputs expire</dt>
          <dd>{fullTime(expiresAt)}</dd>
        </div>
      )}
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
      {origins.length > 0 && (
        <div>
          <dt>Origin</dt>
          <dd>
            {origins.map(({ output, text }) => (
              <div key={keyOf(output)}>{outputs.length === 1 ? text : `${titleOf(output)}: ${text}`}</div>
            ))}
          </dd>
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
          <CopiedId id={executionId} />
        </dd>
      </div>
      {traceId !== undefined && (
        <div>
          <dt>Trace</dt>
          <dd>
            <CopiedId id={traceId} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** An id that a click copies. */
function CopiedId({ id }: { id: string }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <UnstyledButton onClick={copy} className={classes.id ?? ''}>
            <Text span ff="monospace" size="xs">
              {id}
            </Text>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
