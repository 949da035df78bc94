import Type from 'typebox'
import { storableText } from '../../../domain/storable-text.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { id } from '../schema.ts'
import { versionEtag, workflowDetail } from '../workflows/present.ts'
import { WorkflowDetail } from '../workflows/schema.ts'

const versionHeader = { ETag: 'The version, for `If-Match`.' }

export const publishDraft = defineRoute({
  id: 'drafts.publish',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/publish',
  summary: 'Publish a draft as the next version of its workflow',
  description:
    'Validates the document, saves it as a new version and deletes the draft. A draft that equals the newest version creates no new version. Rejected if the workflow was saved after the draft was created, unless `overwrite` is true. With `If-Match`, also rejected if the draft was saved in the meantime.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  params: Type.Object({
    workflowId: id('The id of the workflow. Also an id that is reserved for an unpublished workflow.'),
  }),
  requestHeaders: ifMatchHeader('draft'),
  body: Type.Object(
    {
      note: Type.Optional(
        Type.String({
          ...storableText,
          minLength: 1,
          maxLength: limits.versionNoteCharsMax,
          description: 'A note for the list of versions.',
        }),
      ),
      overwrite: Type.Optional(
        Type.Boolean({
          description: 'Publish even if the workflow was saved after the draft was created. Default: false.',
        }),
      ),
    },
    closed,
  ),
  reply: { status: 200, description: 'The draft was published.', schema: WorkflowDetail, headers: versionHeader },
  moreReplies: [
    {
      status: 201,
      description: 'The workflow was published for the first time.',
      schema: WorkflowDetail,
      headers: { Location: 'URL of the workflow.', ...versionHeader },
    },
  ],
  errors: ['not_found', 'precondition_failed'],
  async handle({ params, body, caller, headers, once, signal }, { drafts, baseUrl }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'draft')
    const options = { ...body, once, signal, ...(ifRevision === undefined ? {} : { ifRevision }) }
    const { workflow, document, warnings, isFirst } = await drafts.publish(
      caller.account.id,
      params.workflowId,
      options,
    )
    const etag = versionEtag(workflow.version)
    return {
      status: isFirst ? 201 : 200,
      headers: { etag, ...(isFirst ? { location: `${baseUrl()}/workflows/${workflow.id}` } : {}) },
      body: workflowDetail(workflow, document, warnings),
    }
  },
})
