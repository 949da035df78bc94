import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteDraft = defineRoute({
  id: 'drafts.delete',
  method: 'DELETE',
  path: '/workflows/{workflowId}/draft',
  summary: "Delete a workflow's draft",
  description: 'The workflow stays as it was published. Executions of the draft and their outputs stay.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('A workflow, or the id that is reserved for one.') }),
  reply: { status: 200, description: 'Deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { drafts }) {
    await drafts.remove(caller.account.id, params.workflowId)
    return { body: { deleted: true } }
  },
})
