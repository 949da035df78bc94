/** Cleans text from models before it is used. */
import { withDefaults, withNulls } from '../../../shared/absent-fields.ts'
import { schemaProblems, structureProblem, type ValueSchema } from '../../../shared/json-schema.ts'
import type { ModelResponse } from '../../domain/models/model.ts'
import { ResponseMismatch } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** The part of a request that limits the response. JSON that is cut is unusable. */
export function lengthOrSchema(charsMax: number, schema: ValueSchema | undefined) {
  return schema ? { charsMax: limits.textAnswerCharsMax, schema } : { charsMax: roomFor(charsMax) }
}

/** The text of a response, and its value if it has to match a schema. */
export function readText(response: ModelResponse, charsMax: number, schema: ValueSchema | undefined) {
  if (schema === undefined) return { text: textOf(response, charsMax), result: null }
  const result = structuredOf(response, schema)
  return { text: JSON.stringify(result), result }
}

/** The value of a response in JSON that matches the schema. Throws a `ResponseMismatch` with the difference. */
export function structuredOf({ text = '' }: ModelResponse, schema: ValueSchema): unknown {
  const parsed = parsedJson(withoutFence(text.trim()))
  const left = { values: limits.textAnswerCharsMax }
  const unusable = structureProblem(parsed, left)
  if (unusable !== undefined) throw new ResponseMismatch(`it ${unusable}.`)
  const value = cleanTexts(parsed)
  const problems = schemaProblems(schema, value)
  if (problems.length > 0)
    throw new ResponseMismatch(`${problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}.`)
  const completed = withDefaults(schema, value, limits.textAnswerCharsMax, left)
  if (completed === undefined || left.values < 0) throw new ResponseMismatch('it has too many fields and items.')
  return withNulls(schema, completed)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (text.length < limits.textAnswerCharsMax) throw new ResponseMismatch('it is not JSON.')
    throw new ResponseMismatch(`it has more than ${limits.textAnswerCharsMax} characters.`)
  }
}

function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleanTexts)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cleanTexts(field)]))
}

/** Models often put JSON in a code fence of Markdown. */
export function withoutFence(text: string): string {
  const start = /^```(?:json)?/i.exec(text)?.[0].length
  return start !== undefined && text.length >= start + 3 && text.endsWith('```') ? text.slice(start, -3) : text
}

/** Removes control characters and surrounding whitespace, and limits the length. Throws if nothing is left. */
export function textOf({ text = '' }: ModelResponse, charsMax: number): string {
  const clean = cleanText(text)
  if (clean === '') throw new Error('It returned no text.')
  return cut(clean, charsMax)
}

/** The limit in the request: leaves room to end a sentence, because longer text is cut here after a word. */
function roomFor(charsMax: number): number {
  return charsMax * 2
}

export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? character : ''))
    .toWellFormed()
    .trim()
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const room = text.slice(0, Math.max(0, charsMax - ellipsis.length))
  // Text of one long word, or in a script without spaces, is cut at the limit.
  const end = /\s/.test(text[room.length] ?? '') ? room.length : Math.max(room.search(/\s\S*$/), 0)
  const words = end > room.length / 2 ? room.slice(0, end) : room.replace(/[\uD800-\uDBFF]$/, '')
  return `${words.trimEnd()}${ellipsis}`
}

const ellipsis = '…'
