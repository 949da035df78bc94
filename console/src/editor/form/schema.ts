/** What a form needs to know of a JSON Schema: the kinds that occur in the catalogue, and a widget for each. */

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
  'x-unit'?: string
  'x-advanced'?: boolean
  'x-expected'?: string
}

export type Widget =
  | 'anchor'
  | 'boolean'
  | 'color'
  | 'font'
  | 'image'
  | 'json'
  | 'list'
  | 'model'
  | 'multiline'
  | 'number'
  | 'numbers'
  | 'object'
  | 'points'
  | 'segments'
  | 'select'
  | 'text'

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

/** The cells of the grid, row by row. */
export const anchorGrid: readonly string[] = anchors

const segmentsMax = 4
const segmentsCharsMax = 26
const longTextChars = 1000

/** The widget by which a value of the schema is entered. `json` takes anything that nothing else can. */
export function widgetOf(schema: JsonSchema, name = ''): Widget {
  const hint = schema['x-widget']
  if (schema.enum !== undefined) return widgetOfEnum(schema.enum)
  const type = typesOf(schema)[0]
  switch (type) {
    case 'boolean':
    case 'number':
      return type
    case 'integer':
      return 'number'
    case 'string':
      if (hint === 'color' || schema.format === 'color') return 'color'
      if (hint === 'image' || hint === 'model') return hint
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

/** The types that a value may have, as templates are converted to them; none where anything goes. */
export function typesOf(schema: JsonSchema): string[] {
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type
  if (schema.enum !== undefined) return [...new Set(schema.enum.map((option) => typeof option))]
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(typesOf)
}

/** `strokeWidth` as people write it: what a schema without a title is called. */
export function titleOf(schema: JsonSchema, name: string): string {
  if (schema.title !== undefined) return schema.title
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether the field is short enough to stand beside another. */
export function isShort(schema: JsonSchema, name: string): boolean {
  return widgetOf(schema, name) === 'number' && sliderOf(schema) === undefined
}

const sliderRangeMax = 1000

/** Bounds and step of a slider, where one makes sense: a side of 16384 px cannot be dragged to exactly. */
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

/** What an arrow key adds. */
export function stepOf(type: JsonSchema['type'], range: number): number {
  if (type === 'integer') return 1
  return range <= 2 ? 0.01 : range <= 20 ? 0.1 : 1
}

/** A value to begin with: what the schema's examples show, else its defaults and least values. */
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
    case 'json':
      return {}
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
