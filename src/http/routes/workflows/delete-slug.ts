import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteSlug = defineRoute({
  id: 'workflows.deleteSlug',
  method: 'DELETE',
  path: '/workflows/{workflowId}/slug',
  summary: 'Remove the slug of a workflow',
  description: 'Requests with the slug return 404 afterwards. Repeated requests return the same response.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  reply: { status: 200, description: 'The workflow has no slug.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { workflows }) {
    await workflows.setSlug(caller.account.id, params.workflowId, null)
    return { body: { deleted: true } }
  },
})
