import Type from 'typebox'
import { WorkflowDocument } from '../../../domain/workflow.ts'
import { invalidRequest } from '../../../errors.ts'

/**
 * A workflow document, and the project beside its fields. Told whole in the reference, but checked by the engine's one
 * check of documents, which tells every problem of shape and meaning in one answer.
 */
export const DocumentBody = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  'x-reference': {
    ...WorkflowDocument,
    properties: {
      ...WorkflowDocument.properties,
      projectId: Type.String({
        description: 'The project that it goes to. Default: the project "Default", or where it is.',
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
    throw invalidRequest([{ path: 'projectId', message: 'must be a string: the id of a project' }])
  return { document, projectId }
}
