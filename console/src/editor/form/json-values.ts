/** Values with a JSON schema in forms: their structure, and short texts for lists. */
import { schemaProblems, type ValueSchema } from '../../../../shared/json-schema.ts'
import { readValue } from '../../../../shared/parameters.ts'
import { isObject } from '../../../../shared/values.ts'
import { isImageId } from '../../api/images.ts'
import type { Parameter } from '../../api/workflow-document.ts'
import { initialOf, type JsonSchema, widgetOf } from './schema.ts'

/** The value itself, if text stands for a boolean or JSON. Text that can't be read stays as it is. */
export function parsedValue(parameter: Parameter, value: unknown): unknown {
  const isRead = typeof value === 'string' && (parameter.format === 'json' || parameter.format === 'boolean')
  return isRead ? (readValue(parameter, value).value ?? value) : value
}

/** Whether the fields of the form can show the value: its objects and lists are where the schema has them. */
export function hasShape(schema: JsonSchema, value: unknown): boolean {
  const problems = schemaProblems(schema as ValueSchema, value)
  return problems.every(({ message }) => !/^must be an (object|array), /.test(message))
}

/** A new item or object: empty, because each text of a template would have to be replaced. */
export function blankOf(schema: JsonSchema): unknown {
  return widgetOf(schema) === 'object' && schema.default === undefined ? {} : initialOf(schema)
}

const namesMax = 3

/** `Ada, Mei, Noor and 5 more`, or `8 items` if the items have no text. */
export function itemsText(items: readonly unknown[]): string {
  const names = items.flatMap((item) => itemName(item) ?? [])
  const count = `${items.length} ${items.length === 1 ? 'item' : 'items'}`
  if (names.length < items.length) return count
  const shown = names.slice(0, namesMax).join(', ')
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown
}

/** The first text of an item. Ids of images say nothing to people. */
export function itemName(item: unknown): string | undefined {
  const value = isObject(item) ? Object.values(item).find(isName) : item
  return isName(value) ? String(value) : undefined
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '' && !isImageId(value)) || typeof value === 'number'
}
