import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { invalidRequest } from '../../../errors.ts'

/**
 * A workflow document with the additional field `projectId`. `x-reference` is the schema in the API reference. The engine validates the
 * document, so that schema errors and semantic errors are reported together.
 */
export const DocumentBody = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  'x-reference': {
    ...WorkflowDocument,
    ...named('WorkflowInput'),
    properties: {
      ...WorkflowDocument.properties,
      projectId: Type.String({
        description:
          'The project of the workflow. Default: the project "Default" for a new workflow, otherwise the current project.',
      }),
    },
  },
})

export function splitProject({ projectId, ...document }: Record<string, unknown>): {
  document: Record<string, unknown>
  projectId?: string
} {
  if (projectId === undefined) return { document }
  if (typeof projectId !== 'string')
    throw invalidRequest([{ path: 'projectId', message: 'must be the id of a project, as a string' }])
  return { document, projectId }
}
