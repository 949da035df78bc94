import Type from 'typebox'
import { invalidRequest } from '../../../errors.ts'
import { defineRoute } from '../../define-route.ts'
import { versionTag, workflowDetail } from '../../present.ts'
import { id, WorkflowDetail } from '../../schemas.ts'
import { DocumentBody, splitProject } from './document-body.ts'

export const replaceWorkflow = defineRoute({
  id: 'workflows.replace',
  method: 'PUT',
  path: '/workflows/{workflowId}',
  summary: 'Save a workflow again',
  description:
    'A document that differs makes a new version; executions under way keep theirs. With `If-Match` it is refused when the workflow has been saved since.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('A workflow.') }),
  body: DocumentBody,
  reply: { status: 200, description: 'Saved.', schema: WorkflowDetail },
  errors: ['not_found'],
  async handle({ params, body, caller, headers }, { workflows }) {
    const ifVersion = versionOf(headers['if-match'])
    const { document, projectId } = splitProject(body)
    const options = {
      ...(ifVersion === undefined ? {} : { ifVersion }),
      ...(projectId === undefined ? {} : { projectId }),
    }
    const saved = await workflows.replace(caller.account.id, params.workflowId, document, options)
    const { workflow, warnings } = saved
    return { headers: { etag: versionTag(workflow.version) }, body: workflowDetail(workflow, saved.document, warnings) }
  },
})

function versionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d{1,15})"$/.exec(ifMatch.trim()) ?? []
  if (version === undefined)
    throw invalidRequest([{ path: 'If-Match', message: 'must be the ETag of a version, such as "3"' }])
  return Number(version)
}
