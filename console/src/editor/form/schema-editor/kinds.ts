/** The kinds of values that the editor of schemas offers, and what a change keeps. */
import type { ValueSchema } from '../../../../../shared/json-schema.ts'
import { type TextFormat, textFormats } from '../../../../../shared/parameter-formats.ts'
import { isObject } from '../../../../../shared/values.ts'
import type { JsonSchema } from '../schema.ts'

export type Kind = 'text' | 'options' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | TextFormat

export const kindLabels: Record<Kind, string> = {
  text: 'Text',
  multiline: 'Text of several lines',
  options: 'One of several options',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  image: 'Image',
  color: 'Colour',
  url: 'URL',
  date: 'Date',
  font: 'Font',
  model: 'AI model',
  object: 'Fields',
  array: 'List',
}

export const kinds = Object.keys(kindLabels) as Kind[]

export function kindOf({ type, format, enum: options }: ValueSchema): Kind {
  if (type !== 'string') return type
  return format ?? (options === undefined ? 'text' : 'options')
}

/** The schema of another kind: names and texts for people stay, and fields and items as far as both have them. */
export function ofKind(kind: Kind, { title, description, ...before }: ValueSchema): ValueSchema {
  const about = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) }
  if (kind === 'object') return { ...about, ...objectOf(before) }
  if (kind === 'array')
    return { ...about, type: 'array', items: before.type === 'object' ? before : { type: 'string' } }
  if (kind === 'options') return { ...about, type: 'string', enum: before.enum ?? ['first', 'second'] }
  if (kind === 'number' || kind === 'integer' || kind === 'boolean') return { ...about, type: kind }
  return { ...about, type: 'string', ...(isFormat(kind) ? { format: kind } : {}) }
}

function objectOf({ type, items, ...before }: Omit<ValueSchema, 'title' | 'description'>): ValueSchema {
  if (type === 'array' && items?.type === 'object') return items
  return type === 'object' ? { type, ...before } : { type: 'object', properties: {}, additionalProperties: false }
}

export function isFormat(kind: Kind): kind is TextFormat {
  return (textFormats as readonly string[]).includes(kind)
}

/** Whether the editor can show all of it. Otherwise it is edited as JSON. */
export function isEditable(schema: unknown): schema is ValueSchema {
  if (!isObject(schema) || typeof schema.type !== 'string') return false
  const { type, items, properties = {} } = schema
  if (type === 'array') return isEditable(items)
  if (type === 'object') return isObject(properties) && Object.values(properties).every(isEditable)
  return ['string', 'number', 'integer', 'boolean'].includes(type)
}

const text = (title: string, description: string): JsonSchema => ({ type: 'string', title, description })
const count = (title: string): JsonSchema => ({ type: 'integer', title, minimum: 0 })

/** The settings of a schema in addition to its kind, its fields and its items. */
export function settingsOf(schema: ValueSchema, isField: boolean): JsonSchema {
  const kind = kindOf(schema)
  const { description: _, title: __, default: ___, ...value } = schema
  const preset = kind === 'object' || kind === 'array' ? undefined : { ...(value as JsonSchema), title: 'Default' }
  return {
    type: 'object',
    properties: {
      ...(kind === 'options' ? { enum: optionList } : {}),
      ...(kind === 'text' || kind === 'multiline'
        ? { minLength: count('Least characters'), maxLength: count('Most characters') }
        : {}),
      ...(kind === 'number' || kind === 'integer'
        ? { minimum: { type: 'number', title: 'Minimum' }, maximum: { type: 'number', title: 'Maximum' } }
        : {}),
      ...(kind === 'array' ? { minItems: count('Least items'), maxItems: count('Most items') } : {}),
      ...(kind === 'object'
        ? {
            additionalProperties: {
              type: 'boolean',
              title: 'Other fields are allowed',
              default: true,
              description: 'Without it, a field with another name is an error.',
            },
          }
        : {}),
      ...(isField && preset !== undefined ? { default: preset } : {}),
      ...(isField
        ? {
            title: text('Label', 'The name in forms.'),
            description: text('Description', 'A description for people, and for AI models that write the value.'),
          }
        : {}),
    },
  }
}

const optionList: JsonSchema = {
  type: 'array',
  title: 'Options',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 200,
}

/** A name for a new field. */
export function newFieldName(properties: Readonly<Record<string, unknown>>): string {
  let count = Object.keys(properties).length + 1
  while (Object.hasOwn(properties, `field${count}`)) count += 1
  return `field${count}`
}

/** The fields with another name for one of them, in the same order. */
export function renameField(schema: ValueSchema, from: string, to: string): ValueSchema {
  const { properties = {}, required } = schema
  const renamed = Object.entries(properties).map(([name, property]) => [name === from ? to : name, property] as const)
  return {
    ...schema,
    properties: Object.fromEntries(renamed),
    ...(required === undefined ? {} : { required: required.map((name) => (name === from ? to : name)) }),
  }
}

export function removeField({ required = [], ...schema }: ValueSchema, name: string): ValueSchema {
  const { [name]: _, ...properties } = schema.properties ?? {}
  return withRequired(
    { ...schema, properties },
    required.filter((field) => field !== name),
  )
}

export function moveField(schema: ValueSchema, name: string, by: -1 | 1): ValueSchema {
  const fields = Object.entries(schema.properties ?? {})
  const from = fields.findIndex(([fieldName]) => fieldName === name)
  const [moved] = fields.splice(from, 1)
  if (moved !== undefined) fields.splice(from + by, 0, moved)
  return { ...schema, properties: Object.fromEntries(fields) }
}

export function setRequired({ required = [], ...schema }: ValueSchema, name: string, isRequired: boolean): ValueSchema {
  const others = required.filter((field) => field !== name)
  return withRequired(schema, isRequired ? [...others, name] : others)
}

function withRequired(schema: Omit<ValueSchema, 'required'>, required: string[]): ValueSchema {
  return required.length === 0 ? schema : { ...schema, required }
}
