/** The fields that templates read of a value with a schema: `people[0].name`. */
import type { ValueSchema } from '../json-schema.ts'
import { didYouMean } from '../suggest.ts'
import { list, show } from '../text.ts'

export type FieldPath = readonly (string | number)[]

/** `problem`: the end of a sentence that begins with the path of the template. `schema` is undefined for a field that it doesn't declare. */
export type ReadField = { schema: ValueSchema | undefined; problem?: undefined } | { problem: string }

/** `name`: the value in messages. */
export function readField(name: string, schema: ValueSchema | undefined, [field, ...rest]: FieldPath): ReadField {
  if (schema === undefined || field === undefined) return { schema }
  const inner = `${name}.${field}`
  switch (schema.type) {
    case 'object': {
      const { properties = {}, additionalProperties = true } = schema
      if (Object.hasOwn(properties, field)) return readField(inner, properties[field], rest)
      if (field === 'size') return readField(inner, { type: 'integer' }, rest)
      if (additionalProperties) return { schema: undefined }
      const names = Object.keys(properties)
      const hint = didYouMean(String(field), names) || `It has ${list(names)}.`
      return { problem: `uses ${show(inner)}, which its schema doesn't have. ${hint}` }
    }
    case 'array':
      if (field === 'size') return readField(inner, { type: 'integer' }, rest)
      if (field === 'first' || field === 'last' || /^-?\d+$/.test(String(field)))
        return readField(inner, schema.items, rest)
      return {
        problem: `uses ${show(field)} of ${show(name)}, which is a list. Read one of its items, as in ${name}[0].`,
      }
    case 'string':
      if (rest.length === 0 && ['size', 'first', 'last'].includes(String(field))) return { schema: undefined }
      return {
        problem: `uses ${show([field, ...rest].join('.'))} of ${show(name)}, which is a string and has only "size", "first", "last"`,
      }
    default:
      return {
        problem: `uses ${show([field, ...rest].join('.'))} of ${show(name)}, which is a ${schema.type} and has no properties`,
      }
  }
}
