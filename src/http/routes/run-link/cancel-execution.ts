import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { runLinkExecution } from './present.ts'
import { RunLinkExecution } from './schema.ts'

export const cancelRunLinkExecution = defineRoute({
  id: 'runLink.cancelExecution',
  method: 'POST',
  path: '/run-link/executions/{executionId}/cancel',
  summary: 'Cancel an execution of a run link',
  description:
    'Only an execution that the same key has started. It fails with reason `cancelled`, and the link can start another one immediately. An execution that has ended is returned unchanged.',
  tag: 'Run links',
  permission: 'run-link',
  params: Type.Object({ executionId: id('The id of the execution.') }),
  reply: { status: 200, description: 'The current state of the execution.', schema: RunLinkExecution },
  errors: ['not_found'],
  async handle({ params, caller }, { runLinks, images }) {
    const execution = await runLinks.cancel(caller, params.executionId)
    return { body: runLinkExecution(execution, images.urlsOf(caller.account)) }
  },
})
