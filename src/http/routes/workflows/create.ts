import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { DocumentBody, splitDocument } from './document-body.ts'
import { versionEtag, workflowDetail } from './present.ts'
import { WorkflowDetail } from './schema.ts'

export const createWorkflow = defineRoute({
  id: 'workflows.create',
  method: 'POST',
  path: '/workflows',
  summary: 'Create a workflow',
  description: `The body is the workflow document, with the optional additional fields \`projectId\` (default: the project "Default") and \`slug\`. An account can have ${limits.workflowsMax} workflows by default (\`quotas\` of \`GET /usage\`).`,
  tag: 'Workflows',
  permission: ['workflows:write'],
  body: DocumentBody,
  reply: {
    status: 201,
    description: 'The workflow was saved as version 1.',
    schema: WorkflowDetail,
    headers: { Location: 'URL of the workflow.', ETag: 'Version, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ body, caller, once, signal }, { workflows, baseUrl }) {
    const { document, ...additions } = splitDocument(body)
    const {
      workflow,
      document: saved,
      warnings,
    } = await workflows.create(caller.account.id, document, { ...additions, once, signal })
    const headers = { location: `${baseUrl()}/workflows/${workflow.id}`, etag: versionEtag(workflow.version) }
    return { status: 201, headers, body: workflowDetail(workflow, saved, warnings) }
  },
})
