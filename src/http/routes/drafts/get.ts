import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft, revisionHeader } from './schema.ts'

export const getDraft = defineRoute({
  id: 'drafts.get',
  method: 'GET',
  path: '/workflows/{workflowId}/draft',
  summary: 'Get a draft',
  tag: 'Drafts',
  permission: ['workflows:read'],
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  reply: { status: 200, description: 'The draft.', schema: Draft, headers: revisionHeader },
  errors: ['not_found'],
  async handle({ params, caller }, { drafts }) {
    const draft = await drafts.find(caller.account.id, params.workflowId)
    return { headers: { etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
