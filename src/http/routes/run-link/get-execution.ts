import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id, waitQuery } from '../schema.ts'
import { runLinkExecution } from './present.ts'
import { RunLinkExecution } from './schema.ts'

export const getRunLinkExecution = defineRoute({
  id: 'runLink.getExecution',
  method: 'GET',
  path: '/run-link/executions/{executionId}',
  summary: 'Get an execution of a run link',
  description: 'Only an execution that the same key has started. With `wait`, the response comes when it ends.',
  tag: 'Run links',
  permission: 'run-link',
  params: Type.Object({ executionId: id('The id of the execution.') }),
  query: waitQuery('execution'),
  reply: { status: 200, description: 'The execution.', schema: RunLinkExecution },
  errors: ['not_found'],
  wait: ({ params, query, caller, signal }, { runLinks }) =>
    query.wait ? runLinks.ended(caller, params.executionId, { seconds: query.wait, signal }) : undefined,
  async handle({ params, caller }, { runLinks, images }) {
    const execution = await runLinks.find(caller, params.executionId)
    return { body: runLinkExecution(execution, images.urlsOf(caller.account)) }
  },
})
