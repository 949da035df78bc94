/** Times in a query. */
import Type from 'typebox'
import { type Issue, invalidRequest } from '../../errors.ts'

const expected = 'a time such as 2026-11-21T10:00:00Z, or a date, which is its beginning in UTC'
const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

export function timeField(description: string) {
  return Type.String({ maxLength: 40, description: `${description} ISO 8601: ${expected}.` })
}

/** Those that are given, in milliseconds since the epoch. Throws `invalid_request` that names all that are none. */
export function timesOf<Name extends string>(given: Record<Name, string | undefined>): { [Key in Name]?: number } {
  const times: Record<string, number> = {}
  const issues: Issue[] = []
  for (const [path, text] of Object.entries<string | undefined>(given)) {
    if (text === undefined) continue
    const ms = shape.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(ms)) issues.push({ path, message: `must be ${expected}` })
    else times[path] = ms
  }
  if (issues.length > 0) throw invalidRequest(issues)
  return times as { [Key in Name]?: number }
}
