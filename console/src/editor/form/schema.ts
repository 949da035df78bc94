/** The parts of JSON Schema that forms need: the keywords of the catalogue, and the widget of a schema. */

import { alternativesOf, typesOf } from '../../../../shared/values.ts'
import { pathKeys } from '../document/path.ts'

export interface JsonSchema {
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  'x-widget'?: string
  /** The operation whose local models the value can name. */
  'x-local-models'?: string
  'x-unit'?: string
  /** Formats of texts that a value can have, for the widget `schema`. Default: all. */
  'x-formats'?: readonly string[]
  /** Labels of the values of `enum`, by value. */
  'x-labels'?: Record<string, string>
  'x-advanced'?: boolean
  /** A JSON parameter: people can also edit it as text. */
  'x-json'?: boolean
  'x-expected'?: string
  /** The language of a text with templates, for which values are escaped. */
  'x-template'?: 'html' | 'css'
}

export type Widget =
  | 'anchor'
  | 'boolean'
  | 'color'
  | 'date'
  | 'font'
  | 'image'
  | 'json'
  | 'labels'
  | 'list'
  | 'model'
  | 'multiline'
  | 'number'
  | 'numbers'
  | 'object'
  | 'points'
  | 'schema'
  | 'segments'
  | 'select'
  | 'text'
  | 'url'

const anchors = [
  'north-west',
  'north',
  'north-east',
  'west',
  'center',
  'east',
  'south-west',
  'south',
  'south-east',
] as const

/** The cells of the anchor grid, row by row. */
export const anchorGrid: readonly string[] = anchors

const segmentsMax = 4
const segmentsCharsMax = 26
const longTextChars = 1000

/** The widget for a value of the schema. `json` is used if no other widget fits. */
export function widgetOf(schema: JsonSchema, name = ''): Widget {
  const hint = schema['x-widget']
  if (hint === 'labels' || hint === 'schema') return hint
  if (schema.enum !== undefined) return widgetOfEnum(schema.enum)
  const type = typesOf(schema)[0]
  switch (type) {
    case 'boolean':
    case 'number':
      return type
    case 'integer':
      return 'number'
    case 'string':
      if (schema.format !== undefined && isWidget(schema.format)) return schema.format
      if (hint === 'color' || hint === 'image' || hint === 'model') return hint
      if (name === 'font') return 'font'
      return hint === 'textarea' || (schema.maxLength ?? 0) > longTextChars * 10 ? 'multiline' : 'text'
    case 'array':
      return widgetOfArray(schema.items)
    case 'object':
      return schema.properties === undefined ? 'json' : 'object'
    default:
      return 'json'
  }
}

const formatWidgets = ['color', 'date', 'font', 'image', 'model', 'multiline', 'url'] as const

/** The formats of text that have a widget. */
function isWidget(format: string): format is (typeof formatWidgets)[number] {
  return (formatWidgets as readonly string[]).includes(format)
}

function widgetOfEnum(options: readonly unknown[]): Widget {
  if (anchors.every((anchor) => options.includes(anchor))) return 'anchor'
  const chars = options.map(String).join('').length
  return options.length <= segmentsMax && chars <= segmentsCharsMax ? 'segments' : 'select'
}

function widgetOfArray(items: JsonSchema | undefined): Widget {
  if (items === undefined) return 'json'
  if (isNumeric(items)) return 'numbers'
  const isPair = typesOf(items)[0] === 'array' && items.minItems === 2 && items.maxItems === 2
  if (isPair && items.items !== undefined && isNumeric(items.items)) return 'points'
  return widgetOf(items) === 'json' ? 'json' : 'list'
}

function isNumeric(schema: JsonSchema): boolean {
  const [type] = typesOf(schema)
  return schema.enum === undefined && (type === 'number' || type === 'integer')
}

/** The title of a field. Without one in the schema, it comes from the name: `strokeWidth` becomes `Stroke width`. */
export function titleOf(schema: JsonSchema, name: string): string {
  if (schema.title !== undefined) return schema.title
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether the field can share a row with another one. */
export function isShort(schema: JsonSchema, name: string): boolean {
  return widgetOf(schema, name) === 'number' && sliderOf(schema) === undefined
}

/** Whether an empty field shows its placeholder. Other widgets show the default itself, such as a slider or a switch. */
export function hasPlaceholder(schema: JsonSchema, name: string, isDense = false): boolean {
  const widget = widgetOf(schema, name)
  if (widget === 'number') return isDense || sliderOf(schema) === undefined || typeof schema.default !== 'number'
  return !withoutPlaceholder.has(widget)
}

const withoutPlaceholder = new Set<Widget>([
  'anchor',
  'boolean',
  'date',
  'labels',
  'list',
  'object',
  'points',
  'segments',
])

const sliderRangeMax = 1000

/** Bounds and step of a slider; undefined for a range that is too large, such as 16384 px. */
export function sliderOf({
  type,
  minimum,
  maximum,
  multipleOf,
  'x-widget': widget,
}: JsonSchema): { min: number; max: number; step: number } | undefined {
  if (minimum === undefined || maximum === undefined || maximum <= minimum) return undefined
  if (maximum - minimum > sliderRangeMax && widget !== 'slider') return undefined
  return { min: minimum, max: maximum, step: multipleOf ?? stepOf(type, maximum - minimum) }
}

/** The step of an arrow key. */
export function stepOf(type: JsonSchema['type'], range: number): number {
  if (type === 'integer') return 1
  return range <= 2 ? 0.01 : range <= 20 ? 0.1 : 1
}

/** The initial value: from the example, the default, or the smallest valid value. */
export function initialOf(schema: JsonSchema, example?: unknown): unknown {
  if (example !== undefined) return structuredClone(example)
  if (schema.default !== undefined) return structuredClone(schema.default)
  if (schema.enum !== undefined) return schema.enum[0]
  switch (widgetOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, initialOf(schema.properties?.[name] ?? {})]),
      )
    case 'list':
    case 'numbers':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => initialOf(schema.items ?? {}))
    case 'points':
      return straightLine(schema)
    case 'boolean':
      return false
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'color':
      return '#000000'
    case 'date':
      return new Date().toISOString().slice(0, 10)
    case 'json':
    case 'labels':
      return {}
    case 'schema':
      return { type: 'object', properties: {}, additionalProperties: false }
    default:
      return ''
  }
}

function straightLine(schema: JsonSchema): [number, number][] {
  const { minimum = 0, maximum = 1 } = schema.items?.items ?? {}
  return [
    [minimum, minimum],
    [maximum, maximum],
  ]
}

/** The schema of a param, by its path. */
export function schemaAt(schema: JsonSchema, path: string): JsonSchema {
  let at: JsonSchema | undefined = schema
  for (const key of pathKeys(path)) {
    const parts: JsonSchema[] = at === undefined ? [] : alternativesOf(at)
    at = parts.map(({ properties, items }) => (typeof key === 'number' ? items : properties?.[key])).find(Boolean)
  }
  return at ?? {}
}
