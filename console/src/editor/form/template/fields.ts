/** Fields of values with a schema in templates: `people[0].name`. */
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { type FieldPath, readField } from '../../../../../shared/template/fields.ts'
import type { TemplateName } from './names.ts'

/** A name and its fields, as in a template. An index that is a name itself is not a part of it. */
const path = String.raw`[A-Za-z_][\w-]*(?:\[-?\d+\]|\.[\w-]+)*`
const onlyPath = new RegExp(String.raw`^\s*\{\{-?\s*(${path})\s*-?\}\}\s*$`)
const loops = new RegExp(String.raw`\{%-?\s*for\s+([A-Za-z_][\w-]*)\s+in\s+(${path})`, 'g')
const keys = /\.([\w-]+)|\[(-?\d+)\]/g

/** The schema of what is only `{{ people }}` or `{{ product.photos }}`; undefined if it isn't known. */
export function schemaOfOnly(text: unknown, names: readonly TemplateName[]): ValueSchema | undefined {
  const [, only] = typeof text === 'string' ? (onlyPath.exec(text) ?? []) : []
  return only === undefined ? undefined : schemaAt(only, names)
}

/** The variables of `{% for person in people %}` before the caret. */
export function loopNames(before: string, names: readonly TemplateName[]): TemplateName[] {
  const found = new Map<string, TemplateName>()
  for (const [, name = '', list = ''] of before.matchAll(loops)) {
    const schema = schemaAt(list, names)?.items
    found.set(name, { name, type: typeOf(schema), description: `Item of ${list}.`, ...(schema && { schema }) })
  }
  return [...found.values()]
}

export interface FieldName extends TemplateName {
  /** Whether it has fields or items itself. */
  isTree: boolean
}

/** The fields and items that can follow in `typed`, such as `people[0].na`; undefined if it isn't below a value with a schema. */
export function fieldsAt(typed: string, names: readonly TemplateName[]): FieldName[] | undefined {
  const root = rootOf(typed, names)
  if (root?.schema === undefined) return undefined
  const [, base = '', separator = '', part = ''] = /^(.*)([.[])([\w-]*)$/.exec(typed.slice(root.name.length)) ?? []
  if (separator === '') return []
  const at = root.name + base
  const schema = below(root.schema, base)
  const fields = Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    fieldName(`${at}.${name}`, property),
  )
  const items = schema?.type === 'array' ? itemsOf(at, schema, separator) : []
  return [...fields, ...items].filter(({ name }) =>
    name
      .slice(at.length + 1)
      .toLowerCase()
      .includes(part.toLowerCase()),
  )
}

function itemsOf(at: string, { items }: ValueSchema, separator: string): FieldName[] {
  const first = fieldName(`${at}[0]`, items, 'The first item.')
  if (separator === '[') return [first]
  return [
    first,
    fieldName(`${at}.last`, items, 'The last item.'),
    { name: `${at}.size`, type: 'number', description: 'Number of items.', isTree: false },
  ]
}

function fieldName(name: string, schema: ValueSchema | undefined, description = schema?.description ?? ''): FieldName {
  const isTree = schema?.type === 'array' || schema?.properties !== undefined
  return { name, type: typeOf(schema), description, isTree, ...(schema && { schema }) }
}

/** The longest name that `typed` begins with. */
function rootOf(typed: string, names: readonly TemplateName[]): TemplateName | undefined {
  return names
    .filter(({ name }) => typed.startsWith(name) && /^[.[]/.test(typed.slice(name.length)))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
}

function schemaAt(text: string, names: readonly TemplateName[]): ValueSchema | undefined {
  const exact = names.find(({ name }) => name === text)
  if (exact !== undefined) return exact.schema
  const root = rootOf(text, names)
  return root?.schema && below(root.schema, text.slice(root.name.length))
}

function below(schema: ValueSchema, rest: string): ValueSchema | undefined {
  const at: FieldPath = Array.from(rest.matchAll(keys), ([, name, index]) => name ?? Number(index))
  const read = readField('', schema, at)
  return read.problem === undefined ? read.schema : undefined
}

export function typeOf(schema: ValueSchema | undefined): string {
  const words: Record<string, string> = { string: 'text', integer: 'number', array: 'list', object: 'fields' }
  return schema === undefined ? 'any' : (words[schema.type] ?? schema.type)
}
