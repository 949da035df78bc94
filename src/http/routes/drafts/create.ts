import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft, DraftDocument } from './schema.ts'

export const createDraft = defineRoute({
  id: 'drafts.create',
  method: 'POST',
  path: '/workflows/drafts',
  summary: 'Begin a new workflow with a draft',
  description:
    'Reserves the id of the workflow, which is not found and not listed until the draft is published. The document is not checked before.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  body: Type.Object(
    {
      document: Type.Optional(DraftDocument),
      projectId: Type.Optional(id('The project that it goes to. Default: the project "Default".')),
    },
    closed,
  ),
  reply: { status: 201, description: 'Saved; `Location` is where it is read.', schema: Draft },
  errors: ['not_found'],
  async handle({ body: { document, projectId }, caller, once }, { drafts, baseUrl }) {
    const draft = await drafts.create(caller.account.id, { document, projectId, once })
    const location = `${baseUrl()}/workflows/${draft.workflowId}/draft`
    return { status: 201, headers: { location, etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
