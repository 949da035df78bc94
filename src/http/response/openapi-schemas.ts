/** The schemas of the OpenAPI document: each one with a name is a component, and others refer to it. */
import { stringify } from 'safe-stable-stringify'
import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/**
 * Requests are strict, and a field with a default is optional in them. Responses accept fields that they don't declare, because
 * later versions add fields.
 */
export type Direction = 'request' | 'response'

export interface SchemaUse {
  schema: TSchema
  direction: Direction
}

export interface PublishedSchemas {
  components: Json
  /** The schema as the document has it: a reference, if it has a name. */
  publish(schema: TSchema, direction: Direction): Json
}

/** Throws if two schemas have the same name, or if a discriminator is above a schema without a name. */
export function publishSchemas(uses: readonly SchemaUse[]): PublishedSchemas {
  const forms = { request: new Map<string, Json>(), response: new Map<string, Json>() }
  const expanding = new Set<string>()
  const expand = (declared: Json, direction: Direction): Json => {
    const schema = resolved(declared)
    const name = nameOf(schema)
    if (name === undefined) return walk(schema, direction, (inner) => expand(inner, direction))
    if (expanding.has(name)) return { $ref: name }
    expanding.add(name)
    const form = walk(schema, direction, (inner) => expand(inner, direction))
    expanding.delete(name)
    const known = forms[direction].get(name)
    if (known !== undefined && stringify(known) !== stringify(form))
      throw new Error(`Two different schemas have the name ${name}.`)
    forms[direction].set(name, form)
    return form
  }
  for (const { schema, direction } of uses) expand(schema as Json, direction)

  /** A schema that requests and responses share has one name, unless its two forms differ. */
  const componentName = (name: string, direction: Direction): string => {
    const response = forms.response.get(name)
    const isShared = response === undefined || stringify(response) === stringify(forms.request.get(name))
    return direction === 'response' || isShared ? name : `${name}Input`
  }
  const components = new Map<string, Json>()
  const publish = (declared: Json, direction: Direction): Json => {
    const schema = resolved(declared)
    const name = nameOf(schema)
    if (name === undefined) return walk(schema, direction, (inner) => publish(inner, direction))
    const component = componentName(name, direction)
    if (!components.has(component)) {
      // Set first: a schema may contain itself.
      components.set(component, {})
      components.set(
        component,
        walk(schema, direction, (inner) => publish(inner, direction)),
      )
    }
    return { $ref: `#/components/schemas/${component}` }
  }
  for (const { schema, direction } of uses) publish(schema as Json, direction)
  return {
    components: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    publish: (schema, direction) => publish(schema as Json, direction),
  }
}

/** The schema of `later`. */
function resolved(schema: Json): Json {
  const later = schema['x-later'] as (() => Json) | undefined
  return later === undefined ? schema : later()
}

function nameOf(schema: Json): string | undefined {
  return schema['x-name'] as string | undefined
}

type Inner = (schema: Json) => Json

const maps = ['properties', '$defs']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const singles = ['items', 'not', 'contains', 'propertyNames', 'additionalProperties', 'contentSchema']
/** Keywords of ours that have no use outside. */
const internal = ['x-name', 'x-reference', 'x-expected']

/** The form of one schema that generators of clients understand. `inner` is called for each schema in it. */
function walk(schema: Json, direction: Direction, inner: Inner): Json {
  const form: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (internal.includes(keyword)) continue
    if (maps.includes(keyword)) form[keyword] = mapValues(value as Record<string, Json>, inner)
    else if (lists.includes(keyword)) form[keyword] = (value as Json[]).map(inner)
    else if (singles.includes(keyword) && typeof value === 'object') form[keyword] = inner(value as Json)
    else form[keyword] = value
  }
  setValues(form)
  setNames(form, inner)
  setAlternatives(form, schema)
  if (direction === 'response' && form.additionalProperties === false) delete form.additionalProperties
  if (direction === 'request') dropDefaultsFromRequired(form, schema)
  return form
}

function mapValues(schemas: Record<string, Json>, inner: Inner): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]))
}

/** `enum` with a type, also for one value and for a union of values. */
function setValues(form: Json): void {
  if (Object.hasOwn(form, 'const')) {
    form.enum = [form.const]
    delete form.const
  }
  const alternatives = (form.anyOf ?? []) as { type?: unknown; enum?: unknown[] }[]
  if (alternatives.length > 0 && alternatives.every(({ type, enum: values }) => type === 'string' && values)) {
    form.enum = alternatives.flatMap((alternative) => alternative.enum ?? [])
    delete form.anyOf
  }
  const values = (form.enum ?? []) as unknown[]
  if (values.length > 0 && values.every((value) => typeof value === 'string')) form.type = 'string'
}

/** `additionalProperties` for an object with any names, in place of `patternProperties`. */
function setNames(form: Json, inner: Inner): void {
  const [[pattern, values] = [], ...others] = Object.entries((form.patternProperties ?? {}) as Record<string, Json>)
  if (pattern === undefined || values === undefined || others.length > 0) return
  delete form.patternProperties
  form.additionalProperties = inner(values)
  if (pattern !== '^.*$') form.propertyNames = { pattern }
}

/** Generators of clients accept a discriminator only above references. */
function setAlternatives(form: Json, schema: Json): void {
  const discriminator = schema.discriminator as { propertyName: string } | undefined
  if (discriminator === undefined) return
  const alternatives = schema.oneOf as (Json & { properties: Record<string, { const: string }> })[]
  if (alternatives.some((alternative) => nameOf(alternative) === undefined))
    throw new Error(`The alternatives of the discriminator ${discriminator.propertyName} need names.`)
  const references = form.oneOf as { $ref: string }[]
  const mapping = alternatives.map(({ properties }, at) => [
    properties[discriminator.propertyName]?.const,
    references[at]?.$ref,
  ])
  form.discriminator = { ...discriminator, mapping: Object.fromEntries(mapping) }
  delete form.type
  delete form.required
}

function dropDefaultsFromRequired(form: Json, schema: Json): void {
  const properties = (schema.properties ?? {}) as Record<string, { default?: unknown }>
  const required = ((form.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined)
  if (required.length > 0) form.required = required
  else delete form.required
}
