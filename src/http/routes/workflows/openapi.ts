import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { workflowOpenApi } from '../../response/workflow-openapi.ts'
import { chosenVersionQuery, id, OpenApiDocument } from '../schema.ts'
import { versionEtag } from './present.ts'

export const getWorkflowOpenApi = defineRoute({
  id: 'workflows.openapi',
  method: 'GET',
  path: '/workflows/{workflowId}/openapi.json',
  summary: 'Get the OpenAPI 3.1 document of a workflow',
  description:
    'Describes the request that executes this workflow, with its parameters and outputs as schemas, for generators of clients and for forms. With `version` or `channel`, requests name that version or channel.',
  tag: 'Workflows',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id or the slug of the workflow.') }),
  query: Type.Object(chosenVersionQuery, closed),
  reply: {
    status: 200,
    description: 'The OpenAPI document.',
    schema: OpenApiDocument,
    headers: { ETag: 'Version of the document.' },
  },
  errors: ['not_found'],
  async handle({ params: { workflowId }, query, caller: { account } }, { workflows, openApi }) {
    const { workflow, document } = await workflows.findAt(account.id, workflowId, query)
    return {
      headers: { etag: versionEtag(workflow.version) },
      body: workflowOpenApi(openApi(), { workflow, document, pinned: query }) as { openapi: string },
    }
  },
})
