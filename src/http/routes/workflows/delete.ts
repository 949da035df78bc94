import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteWorkflow = defineRoute({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/workflows/{workflowId}',
  summary: 'Delete a workflow',
  description:
    'Executions of the workflow and their outputs are kept. Rejected as long as other workflows use it in a node of the type `workflow`; the message names them.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  reply: { status: 200, description: 'The workflow was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { workflows }) {
    await workflows.remove(caller.account.id, params.workflowId)
    return { body: { deleted: true } }
  },
})
