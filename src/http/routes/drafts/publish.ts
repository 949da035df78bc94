import Type from 'typebox'
import { storableText } from '../../../domain/storable-text.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { parseIfMatch } from '../../request/if-match.ts'
import { id } from '../schema.ts'
import { versionEtag, workflowDetail } from '../workflows/present.ts'
import { WorkflowDetail } from '../workflows/schema.ts'

export const publishDraft = defineRoute({
  id: 'drafts.publish',
  method: 'POST',
  path: '/workflows/{workflowId}/draft/publish',
  summary: "Make a workflow's draft its next version",
  description:
    'The document is checked as it is when a workflow is saved; then the draft is gone. One that does not differ from the newest version makes no new one. Refused when the workflow has been saved since the draft began, unless `overwrite` is true; with `If-Match` also when the draft has been saved since.',
  tag: 'Drafts',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('A workflow, or the id that is reserved for one.') }),
  body: Type.Object(
    {
      note: Type.Optional(
        Type.String({
          ...storableText,
          minLength: 1,
          maxLength: limits.versionNoteCharsMax,
          description: 'What is to be said of the version in the list of versions.',
        }),
      ),
      overwrite: Type.Optional(
        Type.Boolean({ description: 'Publish also when the workflow has been saved since. Default false.' }),
      ),
    },
    closed,
  ),
  reply: { status: 200, description: 'Published; `ETag` names the version.', schema: WorkflowDetail },
  moreReplies: [
    {
      status: 201,
      description: 'Published for the first time; `Location` is where the workflow is read.',
      schema: WorkflowDetail,
    },
  ],
  errors: ['not_found'],
  async handle({ params, body, caller, headers, once }, { drafts, baseUrl }) {
    const ifRevision = parseIfMatch(headers['if-match'], 'draft')
    const options = { ...body, once, ...(ifRevision === undefined ? {} : { ifRevision }) }
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
