/** Values of operations whose JSON Schema is a param of the node. */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import type { TextFormat } from '../../../shared/parameter-formats.ts'
import { show } from '../../../shared/text.ts'
import type { Issue } from '../../errors.ts'
import type { CheckedNode } from './checked-workflow.ts'
import { schemaIssues } from './value-schemas.ts'

/** The schema of the value; undefined without the param, or if it has issues, which are added. */
export function structuredSchema(
  { operation, params }: Pick<CheckedNode, 'operation' | 'params'>,
  at: string,
  issues: Issue[],
): ValueSchema | undefined {
  const { param = '' } = operation.outputs.structured ?? {}
  const schema = params.values[param]
  if (schema === undefined) return undefined
  const path = `${at}.${param}`
  const [template] = params.templates.filter(({ keys }) => keys[0] === param)
  const found = template
    ? [
        {
          path: `${at}.${template.path}`,
          message: 'is a template, but the schema must be known when the workflow is saved. Write the value.',
        },
      ]
    : [...schemaIssues(schema, path), ...formatIssues(schema as ValueSchema, path, formatsOf(operation, param))]
  issues.push(...found)
  return found.length > 0 ? undefined : (schema as ValueSchema)
}

function formatsOf({ params }: CheckedNode['operation'], param: string): readonly TextFormat[] {
  const { 'x-formats': formats = [] } = (params.properties[param] ?? {}) as { 'x-formats'?: readonly TextFormat[] }
  return formats
}

/** Formats that the value can't have. Only for a schema without issues. */
function formatIssues(schema: ValueSchema, path: string, formats: readonly TextFormat[]): Issue[] {
  const { format, properties, items } = schema
  const formatProblems =
    typeof format === 'string' && !formats.includes(format)
      ? [
          {
            path: `${path}.format`,
            message: `must be one of ${formats.map(show).join(', ')}, not ${show(format)}: a model writes the value`,
          },
        ]
      : []
  const fields = Object.entries(properties ?? {}).flatMap(([name, property]) =>
    formatIssues(property, `${path}.properties.${name}`, formats),
  )
  return [...formatProblems, ...fields, ...(items ? formatIssues(items, `${path}.items`, formats) : [])]
}
