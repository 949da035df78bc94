import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { Deleted, id } from '../schema.ts'

export const deleteDraft = defineRoute({
  id: 'drafts.delete',
  method: 'DELETE',
  path: '/workflows/{workflowId}/draft',
  summary: 'Delete a draft',
  description: 'Deletes the draft only. The published workflow, executions of the draft and their outputs are kept.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  reply: { status: 200, description: 'The draft was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params, caller }, { drafts }) {
    await drafts.remove(caller.account.id, params.workflowId)
    return { body: { deleted: true } }
  },
})
