import Type from 'typebox'
import { isTerminal } from '../../../domain/execution.ts'
import { Fault } from '../../../errors.ts'
import { type Answer, defineRoute } from '../../define-route.ts'
import { executionOutput } from '../../present.ts'
import { ExecutionAccepted, ExecutionDone, id } from '../../schemas.ts'

export const executeWorkflow = defineRoute({
  id: 'workflows.execute',
  method: 'POST',
  path: '/workflows/execute',
  summary: 'Execute a saved workflow',
  description:
    'Synchronous by default: 200 with the output. One that takes longer than the service waits answers 202 and goes on; poll it. With `async` true it answers 202 as soon as the execution is durably recorded.',
  tag: 'Workflows',
  permission: ['workflows:execute'],
  body: Type.Object(
    {
      workflowId: id('The workflow to execute.'),
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: "Keys are the workflow's parameter names." }),
      ),
      async: Type.Optional(Type.Boolean({ description: 'Return at once with an execution id. Default false.' })),
    },
    { additionalProperties: false },
  ),
  reply: { status: 200, description: 'It has completed.', schema: ExecutionDone },
  moreReplies: [
    { status: 202, description: 'It is recorded and goes on; `Location` is where to poll.', schema: ExecutionAccepted },
  ],
  errors: ['not_found', 'workflow_failed', 'unavailable'],
  async handle({ body, caller, once, signal }, { executions, images, syncWaitSeconds, baseUrl }): Promise<Answer> {
    const started = await executions.start(caller.account.id, body.workflowId, body.parameters ?? {}, once)
    // Under a key the answer is for whoever sends the request again, too.
    const left = once ? undefined : signal
    const execution = body.async ? started : await executions.wait(started, syncWaitSeconds, left)
    if (body.async || !isTerminal(execution.status)) {
      const status = body.async ? 'pending' : execution.status
      const location = `${baseUrl()}/workflows/executions/${execution.id}`
      return { status: 202, headers: { location }, body: { executionId: execution.id, status } }
    }
    if (execution.error) throw new Fault(execution.error.code, execution.error.message, execution.error.details)
    const output = executionOutput(execution, images)
    const duration = (execution.completedAt ?? 0) - execution.createdAt
    return { body: { executionId: execution.id, status: execution.status, output, duration } }
  },
})
