import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'

export const getExecutionDocument = defineRoute({
  id: 'executions.getDocument',
  method: 'GET',
  path: '/workflows/executions/{executionId}/document',
  summary: 'Get the document that an execution runs',
  description:
    'Returns the version of the workflow. For an execution of a draft: the executed part of the draft, as it was when the execution was created. It stays available after the workflow is changed or deleted.',
  tag: 'Executions',
  permission: ['workflows:read'],
  params: Type.Object({ executionId: id('The id of the execution.') }),
  reply: { status: 200, description: 'The document.', schema: WorkflowDocument },
  errors: ['not_found'],
  async handle({ params: { executionId }, caller: { account } }, { executions }) {
    return { body: await executions.document(account.id, executionId) }
  },
})
