import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { draftDetail, revisionEtag } from './present.ts'
import { Draft, DraftDocument, revisionHeader } from './schema.ts'

export const createDraft = defineRoute({
  id: 'drafts.create',
  method: 'POST',
  path: '/workflows/drafts',
  summary: 'Create a draft of a new workflow',
  description: `Reserves an id for the workflow. The workflow does not exist until you publish the draft. The document is validated when you publish it. An account can have ${limits.draftsMax} drafts.`,
  tag: 'Drafts',
  permission: ['workflows:write', 'workflows:draft'],
  body: Type.Object(
    {
      document: Type.Optional(DraftDocument),
      projectId: Type.Optional(id('The project of the workflow. Default: the project "Default".')),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The draft was created.',
    schema: Draft,
    headers: { Location: 'URL of the draft.', ...revisionHeader },
  },
  errors: ['not_found'],
  async handle({ body: { document, projectId }, caller, once }, { drafts, baseUrl }) {
    const draft = await drafts.create(caller.account.id, { document, projectId, once })
    const location = `${baseUrl()}/workflows/${draft.workflowId}/draft`
    return { status: 201, headers: { location, etag: revisionEtag(draft) }, body: draftDetail(draft) }
  },
})
