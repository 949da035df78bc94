import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { invalidRequest } from '../../../errors.ts'
import { defineRoute } from '../../define-route.ts'
import { validation } from './present.ts'
import { ValidationReply } from './schema.ts'

export const validateWorkflow = defineRoute({
  id: 'workflows.validate',
  method: 'POST',
  path: '/workflows/validate',
  summary: 'Validate a workflow document without saving or executing it',
  description:
    'The body is a document, or `{ "document": ..., "parameters": ... }` to validate parameter values as well. Returns all issues and the plan of an execution.',
  tag: 'Workflows',
  permission: ['workflows:read', 'workflows:write'],
  body: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    'x-reference': Type.Union([
      WorkflowDocument,
      Type.Object({
        document: WorkflowDocument,
        parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ]),
  }),
  reply: { status: 200, description: 'The issues and the plan.', schema: ValidationReply },
  async handle({ body, caller }, { workflows }) {
    if (!Object.hasOwn(body, 'document')) return { body: validation(await workflows.validate(caller.account.id, body)) }
    const { document, parameters, ...others } = body
    const unknown = Object.keys(others).map((path) => ({
      path,
      message: 'is unknown; allowed fields: document, parameters',
    }))
    const values = parameters as Record<string, unknown> | undefined
    const isObject = values === undefined || (typeof values === 'object' && values !== null && !Array.isArray(values))
    if (!isObject) unknown.push({ path: 'parameters', message: 'must be an object' })
    if (unknown.length > 0) throw invalidRequest(unknown)
    return { body: validation(await workflows.validate(caller.account.id, document, values)) }
  },
})
