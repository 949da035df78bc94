/** Records of a file with one JSON object on each line. */
import { show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { createPauses } from '../../domain/pauses.ts'
import type { Lines } from './file-lines.ts'

export type NdjsonRecord = { line: number } & (
  | { value: Record<string, unknown>; problem?: undefined }
  | { problem: string }
)

export async function* ndjsonRecords(lines: AsyncIterable<Lines>): AsyncGenerator<NdjsonRecord, void> {
  const pauseIfDue = createPauses()
  for await (const { first, text } of lines) {
    let line = first
    for (let from = 0; from < text.length; line += 1) {
      const end = text.indexOf('\n', from)
      const json = text.slice(from, end).trim()
      from = end + 1
      if (json !== '') yield { line, ...read(json) }
      await pauseIfDue()
    }
  }
}

function read(text: string): { value: Record<string, unknown> } | { problem: string } {
  const { value, problem } = parseJson(text)
  if (problem !== undefined) return { problem: [problem.path, problem.message].filter(Boolean).join(' ') }
  if (!isObject(value)) return { problem: `must be a JSON object, not ${show(value)}` }
  return { value }
}
