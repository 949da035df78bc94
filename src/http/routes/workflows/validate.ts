import Type from 'typebox'
import { isObject } from '../../../../shared/values.ts'
import { checker, unknownName } from '../../../domain/validate.ts'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { invalidRequest } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { ReusedVariations } from '../../../services/results/step-reuse.ts'
import { defineRoute } from '../../define-route.ts'
import { Variations } from '../executions/schema.ts'
import { id } from '../schema.ts'
import { validation } from './present.ts'
import { ValidationReply } from './schema.ts'

const checkReused = checker(Type.Object({ workflowId: Type.String(), variations: Variations }))

export const validateWorkflow = defineRoute({
  id: 'workflows.validate',
  method: 'POST',
  path: '/workflows/validate',
  summary: 'Validate a workflow document without saving or executing it',
  description:
    'The body is a document, or `{ "document": ..., "parameters": ... }` to validate parameter values as well. Returns all issues and the plan of an execution. With `workflowId` and `variations`, the plan is that of an execution of the draft with these `variations`.',
  tag: 'Workflows',
  permission: ['workflows:read', 'workflows:write'],
  body: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    'x-reference': Type.Union([
      WorkflowDocument,
      Type.Object({
        document: WorkflowDocument,
        parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        workflowId: Type.Optional(id('The workflow whose results `variations` reuses.')),
        variations: Type.Optional(Variations),
      }),
    ]),
  }),
  reply: { status: 200, description: 'The issues and the plan.', schema: ValidationReply },
  async handle({ body, caller }, { workflows }) {
    if (!Object.hasOwn(body, 'document')) return { body: validation(await workflows.validate(caller.account.id, body)) }
    const { document, parameters, workflowId, variations, ...others } = body
    const issues = Object.keys(others)
      .slice(0, limits.issuesMax)
      .map((path) => ({
        path,
        message: unknownName('field', path, ['document', 'parameters', 'workflowId', 'variations']),
      }))
    const values = isObject(parameters) ? parameters : undefined
    if (parameters !== undefined && values === undefined)
      issues.push({ path: 'parameters', message: 'must be an object' })
    if ((workflowId === undefined) !== (variations === undefined))
      issues.push({
        path: workflowId === undefined ? 'workflowId' : 'variations',
        message: 'is missing: workflowId and variations require each other',
      })
    const reused = variations === undefined ? undefined : { workflowId, variations }
    if (reused) issues.push(...checkReused(reused))
    if (issues.length > 0) throw invalidRequest(issues)
    const result = await workflows.validate(caller.account.id, document, values, reused as ReusedVariations)
    return { body: validation(result) }
  },
})
