/** TypeScript declarations of workflows, which @tintype/client merges with its own. */
import { isObject } from '../../shared/values.ts'

type Json = Record<string, unknown>

export interface DescribedWorkflow {
  id?: string | undefined
  slug?: string | undefined
  name: string
  description?: string | undefined
  /** JSON Schema of the parameters: `inputSchema` of a workflow. */
  inputSchema: Json
  /** The names of its outputs. */
  outputs: readonly string[]
}

const client = `'@tintype/client'`

/** A module that adds the workflows to the types of the client, by slug and by id. */
export function typesOf(workflows: readonly DescribedWorkflow[]): string {
  const entries = workflows.flatMap(entryOf)
  return [
    '// Written by `tintype types`. Run it again after a workflow has changed.',
    `import ${client}\n`,
    `declare module ${client} {`,
    '  interface Workflows {',
    ...entries,
    '  }',
    '}\n',
  ].join('\n')
}

function entryOf({ id, slug, name, description, inputSchema, outputs }: DescribedWorkflow): string[] {
  const names = [slug, id].filter((each) => each !== undefined)
  const [first, second] = names
  if (first === undefined) return []
  const about = comment([name, description].filter(Boolean).join(': '), '    ')
  const outputNames = outputs.map((output) => JSON.stringify(output)).join(' | ')
  return [
    `${about}    ${JSON.stringify(first)}: {
      parameters: ${objectType(inputSchema, '      ')}${outputNames && `\n      outputs: ${outputNames}`}
    }`,
    ...(second === undefined ? [] : [`    ${JSON.stringify(second)}: Workflows[${JSON.stringify(first)}]`]),
  ]
}

function objectType(schema: Json, indent: string): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Json>
    required?: string[]
    additionalProperties?: boolean
  }
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const optional = required.includes(name) ? '' : '?'
    return `${comment(aboutOf(property), `${indent}  `)}${indent}  ${key}${optional}: ${typeOf(property, `${indent}  `)}`
  })
  if (additionalProperties !== false) fields.push(`${indent}  [field: string]: unknown`)
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indent}}`
}

function typeOf(schema: Json, indent: string): string {
  const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (alternatives.length > 0) return [...new Set(alternatives.map((each) => typeOf(each, indent)))].join(' | ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => literalOf(value)).join(' | ')
  if ('const' in schema) return literalOf(schema.const)
  // The formats of texts, such as `image` and `color`.
  if (typeof schema.$ref === 'string') return 'string'
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `readonly (${isObject(schema.items) ? typeOf(schema.items, indent) : 'unknown'})[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function literalOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value)
}

/** The description of a parameter, its format and its default. */
function aboutOf(schema: Json): string {
  const alternatives = [schema, ...listOf(schema.anyOf)]
  const format = alternatives.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').at(-1)] : []))[0]
  const facts = [
    format && `Format: ${format}.`,
    schema.default !== undefined && `Default: ${JSON.stringify(schema.default)}.`,
  ]
  return [schema.description, ...facts].filter(Boolean).join(' ')
}

function comment(text: string, indent: string): string {
  const line = text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()
  return line && `${indent}/** ${line} */\n`
}
