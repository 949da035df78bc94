/** Fields that a schema declares and a value doesn't have: they get their `default`, and are nil in templates without one. */
import type { ValueSchema, ValuesLeft } from './json-schema.ts'
import { isObject } from './values.ts'

/**
 * The value with the default of each field that it doesn't have. Counts the fields that it doesn't have as values, and returns
 * undefined if the defaults add more than `charsMax` characters of JSON.
 */
export function withDefaults(schema: ValueSchema, value: unknown, charsMax: number, left: ValuesLeft): unknown {
  let chars = 0
  const completed = filled(
    schema,
    value,
    (name, { default: preset }) => {
      left.values -= 1
      if (preset === undefined || chars > charsMax) return undefined
      chars += JSON.stringify(preset).length + name.length + 4
      return preset
    },
    () => left.values < 0 || chars > charsMax,
  )
  return chars > charsMax ? undefined : completed
}

/** The value with null in each field that it doesn't have, because reading an unknown name is an error in templates. */
export function withNulls(schema: ValueSchema, value: unknown): unknown {
  return filled(
    schema,
    value,
    () => null,
    () => false,
  )
}

/** The value without declared fields that are null. No schema allows null, so `withNulls` added it. */
export function withoutNulls(schema: ValueSchema, value: unknown): unknown {
  const { items, properties } = schema
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => withoutNulls(items, item))
  if (properties === undefined || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (field === undefined) return [[name, child]]
      return child === null ? [] : [[name, withoutNulls(field, child)]]
    }),
  )
}

type Fill = (name: string, field: ValueSchema) => unknown

/** `fill` returns undefined to leave the field out. Returns the same value if nothing is added, or after `isOver`. */
function filled(schema: ValueSchema, value: unknown, fill: Fill, isOver: () => boolean): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined || (items.items === undefined && items.properties === undefined)) return value
    let copy: unknown[] | undefined
    for (const [i, item] of value.entries()) {
      if (isOver()) return value
      const now = filled(items, item, fill, isOver)
      if (now === item) continue
      copy ??= [...value]
      copy[i] = now
    }
    return copy ?? value
  }
  const { properties } = schema
  if (properties === undefined || !isObject(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(properties)) {
    const field = properties[name] as ValueSchema
    const isPassed = Object.hasOwn(value, name)
    const now = filled(field, isPassed ? value[name] : fill(name, field), fill, isOver)
    if (now === undefined || (isPassed && now === value[name])) continue
    copy ??= { ...value }
    copy[name] = now
  }
  return copy ?? value
}
