/**
 * One JSON Schema 2020-12 for the parameters of a request: it accepts exactly the values that executing the workflow accepts. The
 * size of JSON and whether an image exists are not part of it.
 */
import type { ValueSchema } from '../../../shared/json-schema.ts'
import { formatExpected, type TextFormat, textForms } from '../../../shared/parameter-formats.ts'
import { defaultText, readValue } from '../../../shared/parameters.ts'
import { limits } from '../../limits.ts'
import type { ParameterDeclaration } from './workflow.ts'

type Json = Record<string, unknown>

interface Used {
  formats: Set<TextFormat>
  definitions: string
}

/** `definitions`: the start of references to the definitions of formats, which the result has in `$defs`. */
export function inputSchemaOf(declarations: readonly ParameterDeclaration[], definitions = '#/$defs/'): Json {
  const used: Used = { formats: new Set(), definitions }
  const properties = Object.fromEntries(
    declarations.map((declaration) => [declaration.name, propertyOf(declaration, used)]),
  )
  const required = declarations
    .filter((declaration) => declaration.required && declaration.default === undefined)
    .map(({ name }) => name)
  const published = [...used.formats].map((format) => [format, definitionOf(format)])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(published.length > 0 ? { $defs: Object.fromEntries(published) } : {}),
  }
}

/** Null means that the parameter is not passed. */
function propertyOf(declaration: ParameterDeclaration, used: Used): Json {
  const { description, required, default: preset } = declaration
  const about = {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: readValue(declaration, preset).value ?? defaultText(preset) }),
  }
  const alternatives = alternativesOf(declaration, used)
  const isNullable = !required || preset !== undefined
  const all = isNullable ? [...alternatives, { type: 'null' }] : alternatives
  return { ...about, ...(all.length === 1 ? all[0] : { anyOf: all }) }
}

function alternativesOf(declaration: ParameterDeclaration, used: Used): Json[] {
  if (declaration.type === 'number') {
    const { minimum, maximum } = declaration
    return [
      { type: 'number', ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) },
    ]
  }
  const { format, enum: allowed, labels = {}, schema } = declaration
  if (format === 'boolean') return [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }]
  if (format === 'json' && schema !== undefined) {
    const published = publishedSchema(schema, used)
    const asText = { type: 'string', contentMediaType: 'application/json', contentSchema: published }
    return [published, asText]
  }
  if (allowed !== undefined) {
    const titled = allowed.map((value) => ({
      const: value,
      ...(Object.hasOwn(labels, value) ? { title: labels[value] } : {}),
    }))
    return Object.keys(labels).length === 0 ? [{ type: 'string', enum: allowed }] : [{ type: 'string', oneOf: titled }]
  }
  if (format !== undefined && isTextFormat(format)) return [referenceTo(format, used)]
  return [{ type: 'string', maxLength: limits.parameterCharsMax }]
}

function isTextFormat(format: string): format is keyof typeof textForms {
  return Object.hasOwn(textForms, format)
}

function referenceTo(format: TextFormat, used: Used): Json {
  used.formats.add(format)
  return { $ref: `${used.definitions}${format}` }
}

function definitionOf(format: TextFormat): Json {
  const { forms } = textForms[format as keyof typeof textForms]
  const [first, ...others] = forms.map((form) => ({ type: 'string', ...form }))
  return {
    description: formatExpected(format),
    ...(others.length === 0 ? first : { anyOf: [first, ...others] }),
  }
}

/** Formats become patterns, which every validator checks. */
function publishedSchema({ format, properties, items, ...rest }: ValueSchema, used: Used): Json {
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, publishedSchema(property, used)]),
      ),
    }),
    ...(items && { items: publishedSchema(items, used) }),
    ...(format !== undefined && isTextFormat(format) ? referenceTo(format, used) : {}),
  }
}
