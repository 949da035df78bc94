/** A schema for callers: a property with a default is optional. */
import type { TSchema } from 'typebox'

/**
 * TypeBox lists a property with a default as required, because it is present once defaults are filled in. That is correct for
 * readers of a value, and this schema is for writers.
 */
export function publishedSchema(schema: TSchema): TSchema {
  return published(schema) as TSchema
}

function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, keyword]) => [key, key === 'default' ? keyword : published(keyword)]),
  )
  const { properties, required } = value as { properties?: Record<string, { default?: unknown }>; required?: unknown }
  if (properties === undefined || !Array.isArray(required)) return inner
  const needed = required.filter((name) => properties[name]?.default === undefined)
  const { required: _, ...rest } = inner
  return needed.length > 0 ? { ...rest, required: needed } : rest
}
