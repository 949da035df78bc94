/** A schema as callers are told it: what has a default need not be sent. */
import type { TSchema } from 'typebox'

/**
 * TypeBox lists a property with a default as required, since it is always there once defaults are filled in. That is the
 * view of whoever reads the value; this is the view of whoever writes it.
 */
export function publishedSchema(schema: TSchema): TSchema {
  return published(schema) as TSchema
}

function published(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(published)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'default' ? each : published(each)]),
  )
  const { properties, required } = value as { properties?: Record<string, { default?: unknown }>; required?: unknown }
  if (properties === undefined || !Array.isArray(required)) return inner
  const needed = required.filter((name) => properties[name]?.default === undefined)
  const { required: _, ...rest } = inner
  return needed.length > 0 ? { ...rest, required: needed } : rest
}
