import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { runLinkExecution } from './present.ts'
import { RunLinkExecution } from './schema.ts'

export const executeRunLink = defineRoute({
  id: 'runLink.execute',
  method: 'POST',
  path: '/run-link/executions',
  summary: 'Execute the workflow of a run link',
  description:
    'Executes the newest version, and returns before it ends: poll the URL in `Location`. A link runs one execution at a time, and `executionsPerMinute` of its key. Wrong values have their issues. Of other problems, the response has the request id, and nothing of the workflow.',
  tag: 'Run links',
  permission: 'run-link',
  body: Type.Object(
    {
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Values by parameter name.' }),
      ),
    },
    closed,
  ),
  reply: {
    status: 202,
    description: 'The execution was accepted.',
    schema: RunLinkExecution,
    headers: { Location: 'URL of the execution.' },
  },
  errors: ['not_found'],
  async handle({ body, caller, once }, { runLinks, images, baseUrl }) {
    const execution = await runLinks.start(caller, body.parameters ?? {}, once)
    const headers = { location: `${baseUrl()}/run-link/executions/${execution.id}` }
    return { headers, body: runLinkExecution(execution, images.urlsOf(caller.account)) }
  },
})
