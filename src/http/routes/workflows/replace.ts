import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { authorizeKey } from '../../request/authorize.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { id } from '../schema.ts'
import { DocumentBody, splitDocument } from './document-body.ts'
import { versionEtag, workflowDetail } from './present.ts'
import { ReplaceWorkflowReply } from './schema.ts'

export const replaceWorkflow = defineRoute({
  id: 'workflows.replace',
  method: 'PUT',
  path: '/workflows/{workflowId}',
  summary: 'Update a workflow',
  description:
    'Saves a new version if the document differs. Running executions keep their version. With `If-Match`, the request is rejected if the workflow was saved in the meantime. With `compare=true`, nothing is saved: the examples of the workflow are executed with the current and the new document, and the response contains the differences. This also requires the permission `workflows:execute`.',
  tag: 'Workflows',
  permission: ['workflows:write'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  query: Type.Object(
    {
      compare: Type.Optional(
        Type.Enum(['true', 'false'], { description: 'Compare the outputs of the examples instead of saving.' }),
      ),
    },
    closed,
  ),
  requestHeaders: ifMatchHeader('version'),
  body: DocumentBody,
  reply: {
    status: 200,
    description: 'The workflow was saved or compared.',
    schema: ReplaceWorkflowReply,
    headers: { ETag: 'Version of the saved workflow, for `If-Match`.' },
  },
  errors: ['not_found', 'precondition_failed'],
  async handle({ params, query, body, caller, headers, signal }, { workflows, comparisons }) {
    const ifVersion = parseIfMatch(headers['if-match'], 'version')
    const { document, ...additions } = splitDocument(body)
    if (query.compare === 'true') {
      authorizeKey(caller, ['workflows:execute'])
      const options = { signal, ...(ifVersion === undefined ? {} : { ifVersion }) }
      const compared = await comparisons.preview(caller.account.id, params.workflowId, document, options)
      const detail = workflowDetail(compared.workflow, compared.document, compared.warnings)
      const comparison = { examples: compared.examples }
      return { headers: { etag: versionEtag(compared.workflow.version) }, body: { ...detail, comparison } }
    }
    const options = {
      ...(ifVersion === undefined ? {} : { ifVersion }),
      ...additions,
      signal,
    }
    const saved = await workflows.replace(caller.account.id, params.workflowId, document, options)
    const { workflow, warnings } = saved
    return {
      headers: { etag: versionEtag(workflow.version) },
      body: workflowDetail(workflow, saved.document, warnings),
    }
  },
})
