/** Fields that requests and responses of several nouns share. */
import Type from 'typebox'
import { storableText } from '../../domain/storable-text.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })

/** An id in a path or a body: any text, since what no record has is simply not found. */
export function id(description: string) {
  return Type.String({ description })
}

export const PageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSizeDefault,
    description: 'Most results to give.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: limits.pageOffsetMax,
    default: 0,
    description: 'How many to pass over.',
  }),
}

export const searchField = Type.String({
  ...storableText,
  minLength: 1,
  maxLength: limits.nameCharsMax,
  description: 'Only those whose name contains this, in upper or lower case.',
})

export const includeField = Type.Enum(['lastOutput'], {
  description: '`lastOutput`: tell of each what its newest execution gave.',
})

export const PageFields = {
  total: Type.Integer({ description: 'How many match in all.' }),
  hasMore: Type.Boolean({ description: 'Whether there are more after these.' }),
}

/** The response of a DELETE. */
export const Deleted = Type.Object({ deleted: Type.Boolean() })

const expected = 'a time such as 2026-11-21T10:00:00Z, or a date, which is its beginning in UTC'
const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

export function timeField(description: string) {
  return Type.String({ maxLength: 40, description: `${description} ISO 8601: ${expected}.` })
}

/** Those that are given, in milliseconds since the epoch. Throws `invalid_request` that names all that are none. */
export function parseTimes<Name extends string>(given: Record<Name, string | undefined>): { [Key in Name]?: number } {
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
