import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { Comparison } from '../workflows/schema.ts'

export const compareDraft = defineRoute({
  id: 'drafts.compare',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/compare',
  summary: 'Compare the outputs of a draft with those of the newest version',
  description:
    'Renders the examples of both documents, without storing images and without calls of AI models, and compares their pixels.',
  tag: 'Drafts',
  permission: ['workflows:execute'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  reply: { status: 200, description: 'The differences.', schema: Comparison },
  errors: ['not_found'],
  async handle({ params, caller, signal }, { drafts, comparisons }) {
    const { document } = await drafts.find(caller.account.id, params.workflowId)
    const { examples } = await comparisons.preview(caller.account.id, params.workflowId, document, { signal })
    return { body: { examples } }
  },
})
