import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft, DraftDocument, revisionHeader } from './schema.ts'

export const saveDraft = defineRoute({
  id: 'drafts.save',
  method: 'PUT',
  path: '/workflows/{workflowId}/draft',
  summary: 'Save a draft',
  description:
    'Only the size of the document is checked. If the workflow has no draft, a draft of its newest version is created. With `If-Match`, the request is rejected if the draft was saved, published or deleted in the meantime.',
  tag: 'Drafts',
  permission: ['workflows:write', 'workflows:draft'],
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  requestHeaders: ifMatchHeader('draft'),
  body: Type.Object({ document: DraftDocument }, closed),
  reply: { status: 200, description: 'The draft was saved.', schema: Draft, headers: revisionHeader },
  moreReplies: [{ status: 201, description: 'A new draft was created.', schema: Draft, headers: revisionHeader }],
  errors: ['not_found', 'precondition_failed'],
  async handle({ params, body, caller, headers }, { drafts }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'draft')
    const { draft, isNew } = await drafts.save(caller.account.id, params.workflowId, body.document, ifRevision)
    return { status: isNew ? 201 : 200, headers: { etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
