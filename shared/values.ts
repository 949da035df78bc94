/** Values of params: which are templates, and how a rendered value becomes the type that a JSON Schema has. */

export interface SchemaTypes {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: SchemaTypes[]
  oneOf?: SchemaTypes[]
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('{{') || value.includes('{%'))
}

/** The types that a value may have, each once. Empty if the schema allows any type. */
export function typesOf(schema: SchemaTypes): string[] {
  return [...new Set(alternativesOf(schema).flatMap(ownTypes))]
}

/** The schema and its alternatives at every level. An object may have `anyOf` for its required fields next to its properties. */
export function alternativesOf<Schema extends { anyOf?: Schema[]; oneOf?: Schema[] }>(schema: Schema): Schema[] {
  return [schema, ...(schema.anyOf ?? schema.oneOf ?? []).flatMap((alternative) => alternativesOf(alternative))]
}

/**
 * The types that rendered text is converted to. A constant, such as `auto` next to a number, is not a type: the text 70 becomes the
 * number, and `auto` fits none and stays.
 */
export function convertedTypesOf(schema: SchemaTypes): string[] {
  const types = typesOf(schema)
  const others = types.filter((type) => type !== 'string')
  const hasFreeText = alternativesOf(schema).some(({ type }) => type === 'string' || type?.includes('string'))
  return hasFreeText || others.length === 0 ? types : others
}

function ownTypes({ type, enum: options, const: only }: SchemaTypes): string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type
  if (options !== undefined) return options.map((option) => typeof option)
  return only === undefined ? [] : [typeof only]
}

/** The text of a number. Never backtracks: a longer text of digits would take quadratic time. */
export const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * Converts a rendered value to one of the types: for example, text that is a number to a number. Returns a value that fits none
 * of them unchanged, and undefined for null, so that the default of the param applies.
 */
export function convert(value: unknown, types: readonly string[]): unknown {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' || typeof value === 'boolean') {
    const fits = types.includes(typeof value) || (typeof value === 'number' && types.includes('integer'))
    return types.includes('string') && !fits ? String(value) : value
  }
  if (typeof value !== 'string' || types.includes('string') || types.length === 0) return value
  const text = value.trim()
  const isNumeric = types.includes('number') || types.includes('integer')
  if (isNumeric && numberText.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return value
}
