import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { parseIfMatch } from '../../request/if-match.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft, DraftDocument } from './schema.ts'

export const saveDraft = defineRoute({
  id: 'drafts.save',
  method: 'PUT',
  path: '/workflows/{workflowId}/draft',
  summary: "Save a workflow's draft",
  description:
    'Nothing of the document is checked but its size. A workflow that has no draft gets one, begun from its newest version. With `If-Match` it is refused when the draft has been saved, published or deleted since.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('A workflow, or the id that is reserved for one.') }),
  body: Type.Object({ document: DraftDocument }, closed),
  reply: { status: 200, description: 'Saved; `ETag` names the new revision.', schema: Draft },
  moreReplies: [{ status: 201, description: 'Saved as the first of a new draft.', schema: Draft }],
  errors: ['not_found'],
  async handle({ params, body, caller, headers }, { drafts }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'draft')
    const { draft, isNew } = await drafts.save(caller.account.id, params.workflowId, body.document, ifRevision)
    return { status: isNew ? 201 : 200, headers: { etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
