import Type from 'typebox'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft } from './schema.ts'

export const getDraft = defineRoute({
  id: 'drafts.get',
  method: 'GET',
  path: '/workflows/{workflowId}/draft',
  summary: "Read a workflow's draft",
  tag: 'Drafts',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('A workflow, or the id that is reserved for one.') }),
  reply: { status: 200, description: 'The draft; `ETag` names its revision, for `If-Match`.', schema: Draft },
  errors: ['not_found'],
  async handle({ params, caller }, { drafts }) {
    const draft = await drafts.find(caller.account.id, params.workflowId)
    return { headers: { etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
