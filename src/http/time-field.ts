/** A time in a query. */
import Type from 'typebox'
import { invalidRequest } from '../errors.ts'

const expected = 'a time such as 2026-11-21T10:00:00Z, or a date, which is its beginning in UTC'

export function timeField(description: string) {
  return Type.String({ maxLength: 40, description: `${description} ISO 8601: ${expected}.` })
}

/** As a field of a filter: milliseconds since the epoch; nothing where it was not given. */
export function timeOf<Name extends string>(name: Name, text: string | undefined): { [Key in Name]?: number } {
  if (text === undefined) return {}
  const ms = shape.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw invalidRequest([{ path: name, message: `must be ${expected}` }])
  return { [name]: ms } as { [Key in Name]?: number }
}

const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
