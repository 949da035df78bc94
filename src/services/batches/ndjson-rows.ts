/** Records of a file with one JSON object on each line. */
import { createPauses } from '../../domain/pauses.ts'
import type { Lines } from './file-lines.ts'
import { type JsonRecord, readObject } from './json-rows.ts'

export async function* ndjsonRecords(lines: AsyncIterable<Lines>): AsyncGenerator<JsonRecord, void> {
  const pauseIfDue = createPauses()
  for await (const { first, text } of lines) {
    let line = first
    for (let from = 0; from < text.length; line += 1) {
      const end = text.indexOf('\n', from)
      const json = text.slice(from, end).trim()
      from = end + 1
      if (json !== '') yield { line, ...readObject(json) }
      await pauseIfDue()
    }
  }
}
