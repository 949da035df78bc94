/** The value that the service uses for a setting without a value, as text for people. */
import type { JsonSchema } from './schema.ts'

/** The end of a sentence is a full stop before a space: `Default: 0.5.` An ellipsis ends it, too. */
const sentence = /\bDefault: (.+?)(?:\.(?:\s|$)|$)/

/**
 * The declared default, or else the sentence of the description: `the width of the widest image`. Undefined for a
 * setting that does nothing unless it is set.
 */
export function defaultText({ default: value, description = '', type }: JsonSchema): string | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === '') return 'empty'
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return undefined
  if (value !== undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  const described = sentence.exec(description.replaceAll('...', '…'))?.[1]?.replaceAll('`', '')
  return described ?? (type === 'boolean' ? 'off' : undefined)
}

/** The text in an empty field, which can't be confused with a value. */
export function placeholderOf(schema: JsonSchema, isRequired: boolean): string {
  const text = defaultText(schema)
  if (text !== undefined) return `Default: ${text}`
  const [example] = schema.examples ?? []
  if (example !== undefined) return `such as ${String(example)}`
  return isRequired ? '' : 'Not set'
}
