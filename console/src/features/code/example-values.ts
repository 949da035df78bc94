import type { ParameterFormat } from '../../../../shared/parameter-formats.ts'
import { type ParameterValue, readValue } from '../../../../shared/parameters.ts'
import type { Parameter, ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { initialOf, type JsonSchema } from '../../editor/form/schema.ts'

/** Values for an example call: from the form, or the default, or a placeholder. */
export function exampleValues({ parameters = [] }: WorkflowDocument, values: ParameterValues): ParameterValues {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const { name, required, default: defaultValue } = parameter
      const value = values[name]
      if (value !== undefined) return [[name, value] as const]
      // Optional parameters are not needed.
      if (!required && defaultValue !== undefined)
        return [[name, readValue(parameter, defaultValue).value ?? defaultValue] as const]
      return required ? [[name, placeholderOf(parameter)] as const] : []
    }),
  )
}

function placeholderOf({ name, type, format, schema, enum: options, minimum, description }: Parameter): ParameterValue {
  if (type === 'number') return minimum ?? 1
  if (format === 'json') return initialOf((schema ?? {}) as JsonSchema) as ParameterValue
  if (format === 'boolean') return true
  if (options?.[0] !== undefined) return options[0]
  return (format === undefined ? undefined : placeholders[format]) ?? (description || name)
}

const placeholders: Partial<Record<ParameterFormat, string>> = {
  color: '#1a2b3c',
  date: '2026-03-31',
  url: 'https://example.com',
  image: '<image_id>',
}
