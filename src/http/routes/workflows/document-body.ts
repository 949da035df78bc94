import Type, { type Static } from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { checker } from '../../../domain/validate.ts'
import { Slug, slugDescription, WorkflowDocument } from '../../../domain/workflows/workflow.ts'
import { invalidRequest } from '../../../errors.ts'
import { closed } from '../../define-route.ts'

/**
 * A workflow document with the additional fields `projectId` and `slug`. `x-reference` is the schema in the API reference. The engine validates the
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
      slug: Type.String({
        ...Slug,
        description: `${slugDescription} Default: none for a new workflow, otherwise the current slug.`,
      }),
    },
  },
})

const Additions = Type.Object({ projectId: Type.Optional(Type.String()), slug: Type.Optional(Slug) }, closed)
const checkAdditions = checker(Additions)

/** Separates the document from the fields that are not part of it. */
export function splitDocument({ projectId, slug, ...document }: Record<string, unknown>): {
  document: Record<string, unknown>
  projectId?: string
  slug?: string
} {
  const additions = { ...(projectId === undefined ? {} : { projectId }), ...(slug === undefined ? {} : { slug }) }
  const issues = checkAdditions(additions)
  if (issues.length > 0) throw invalidRequest(issues)
  return { document, ...(additions as Static<typeof Additions>) }
}
