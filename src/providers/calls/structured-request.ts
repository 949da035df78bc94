/** Requests for JSON of a schema: for models whose providers support it, and for all others with the schema in the prompt. */
import type { ModelRequest } from '../../domain/model.ts'
import type { ModelRow } from '../define.ts'

/** `mismatch`: the difference between the previous response and the schema. The hash of a request doesn't depend on it. */
export function requestFor(row: ModelRow, request: ModelRequest, mismatch?: string): ModelRequest {
  const { schema, prompt = '', ...rest } = request
  if (schema === undefined) return request
  const correction = mismatch === undefined ? '' : `\n\n${correctionOf(mismatch)}`
  if (row.can[request.capability]?.structuredOutput) return { ...request, prompt: `${prompt}${correction}` }
  return { ...rest, prompt: `${prompt}\n\n${instructionFor(schema)}${correction}` }
}

function instructionFor(schema: object): string {
  return `Respond with nothing but JSON that matches this JSON Schema, without Markdown:\n${JSON.stringify(schema)}`
}

function correctionOf(mismatch: string): string {
  return `Your previous response did not match the schema: ${mismatch}\nCorrect that.`
}
