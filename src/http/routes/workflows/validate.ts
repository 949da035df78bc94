import Type, { type Static } from 'typebox'
import { isObject } from '../../../../shared/values.ts'
import { checker, unknownName } from '../../../domain/validate.ts'
import { variationIssues } from '../../../domain/workflows/variations.ts'
import { WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import { invalidRequest } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { ReusedVariations } from '../../../services/results/step-reuse.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { Variations } from '../executions/schema.ts'
import { channelField, id, versionField } from '../schema.ts'
import { validation } from './present.ts'
import { ValidationReply } from './schema.ts'

const checkReused = checker(Type.Object({ workflowId: Type.String(), variations: Variations }))

const choice = {
  version: Type.Optional(versionField('The version to validate. Default: the newest version.')),
  channel: Type.Optional(channelField('The channel whose version to validate. Not together with `version`.')),
}
const SavedVersion = Type.Object(
  {
    workflowId: id('The id or the slug of the workflow.'),
    ...choice,
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
)
const checkSavedVersion = checker(SavedVersion)

export const validateWorkflow = defineRoute({
  id: 'workflows.validate',
  method: 'POST',
  path: '/workflows/validate',
  summary: 'Validate a workflow document without saving or executing it',
  description:
    'The body is a document, or `{ "document": ..., "parameters": ... }` to validate parameter values as well. Returns all issues and the plan of an execution. With `workflowId` and `variations`, the plan is that of an execution of the draft with these `variations`. With `workflowId` and without a document, validates the saved version that the same request to execute would run: the newest, or the version in `version` or of the channel in `channel`.',
  tag: 'Workflows',
  permission: ['workflows:read', 'workflows:write'],
  body: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    'x-reference': Type.Union([
      WorkflowDocument,
      Type.Object({
        document: WorkflowDocument,
        parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        projectId: Type.Optional(
          id('The project whose brand values the templates read. Default: the project "Default".'),
        ),
        workflowId: Type.Optional(id('The workflow whose results `variations` reuses.')),
        variations: Type.Optional(Variations),
      }),
      SavedVersion,
    ]),
  }),
  reply: { status: 200, description: 'The issues and the plan.', schema: ValidationReply },
  errors: ['not_found'],
  async handle({ body, caller, signal }, { workflows }) {
    const accountId = caller.account.id
    if (!Object.hasOwn(body, 'document')) {
      if (!Object.hasOwn(body, 'workflowId'))
        return { body: validation(await workflows.validate(accountId, body, { signal })) }
      const wrong = checkSavedVersion(body)
      if (wrong.length > 0) throw invalidRequest(wrong)
      const { workflowId, parameters, ...chosen } = body as Static<typeof SavedVersion>
      return { body: validation(await workflows.validateVersion(accountId, workflowId, chosen, parameters)) }
    }
    const { document, parameters, projectId, workflowId, variations, ...others } = body
    const issues = Object.keys(others)
      .slice(0, limits.issuesMax)
      .map((path) => ({
        path,
        message: unknownName('field', path, ['document', 'parameters', 'projectId', 'workflowId', 'variations']),
      }))
    const values = isObject(parameters) ? parameters : undefined
    if (parameters !== undefined && values === undefined)
      issues.push({ path: 'parameters', message: 'must be an object' })
    if (projectId !== undefined && typeof projectId !== 'string')
      issues.push({ path: 'projectId', message: 'must be the id of a project' })
    if ((workflowId === undefined) !== (variations === undefined))
      issues.push({
        path: workflowId === undefined ? 'workflowId' : 'variations',
        message: 'is missing: workflowId and variations require each other',
      })
    const reused = variations === undefined ? undefined : { workflowId, variations }
    if (reused) {
      const wrong = checkReused(reused)
      issues.push(...(wrong.length > 0 ? wrong : variationIssues((reused as ReusedVariations).variations, document)))
    }
    if (issues.length > 0) throw invalidRequest(issues)
    const result = await workflows.validate(accountId, document, {
      parameters: values,
      projectId: projectId as string | undefined,
      reused: reused as ReusedVariations | undefined,
      signal,
    })
    return { body: validation(result) }
  },
})
