/** Rows of a file that is one JSON array of objects. Each row is parsed on its own, so only one is in memory. */
import { isUtf8 } from 'node:buffer'
import { show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { createPauses } from '../../domain/pauses.ts'
import { limits } from '../../limits.ts'
import { FileProblem } from './file-problem.ts'

/** `line`: the number of the row, from 1. */
export type JsonRecord = { line: number } & (
  | { value: Record<string, unknown>; problem?: undefined }
  | { problem: string }
)

/** Throws `FileProblem` if the rest can't be read. */
export async function* jsonRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRecord, void> {
  let line = 0
  const pauseIfDue = createPauses()
  for await (const bytes of elementsOf(source)) {
    line += 1
    if (!isUtf8(bytes)) throw new FileProblem(line, 'is not UTF-8. Send the file as UTF-8.')
    yield { line, ...readObject(bytes.toString('utf8').trim()) }
    await pauseIfDue()
  }
}

/** A row of a JSON array, or a line of NDJSON. */
export function readObject(text: string): { value: Record<string, unknown> } | { problem: string } {
  const { value, problem } = parseJson(text)
  if (problem !== undefined) return { problem: [problem.path, problem.message].filter(Boolean).join(' ') }
  if (!isObject(value)) return { problem: `must be a JSON object, not ${show(value)}` }
  return { value }
}

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}')
const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))
const byteOrderMark: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])

/** The elements of the array, which are separated by the commas outside of strings, objects and other arrays. They may be no JSON. */
async function* elementsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let place = 'before' as 'before' | 'inside' | 'after'
  let pieces: Uint8Array[] = []
  let pieceBytes = 0
  let rows = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  let isBlank = true
  function take(end: Uint8Array): Buffer {
    const element = Buffer.concat([...pieces, end])
    pieces = []
    pieceBytes = 0
    isBlank = true
    rows += 1
    return element
  }
  const refuseLong = (bytes: number) => {
    if (bytes > limits.batchRowBytesMax)
      throw new FileProblem(rows + 1, `is longer than ${limits.batchRowBytesMax} bytes. Is a quote not closed?`)
  }
  for await (const chunk of source) {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (place !== 'inside') {
        if (spaces.has(byte) || (place === 'before' && byteOrderMark.has(byte))) continue
        if (place === 'after') throw new FileProblem(rows, 'must be the last one: text follows the end of the array')
        if (byte !== openBracket) throw new FileProblem(1, `is missing: ${arrayExpected}`)
        place = 'inside'
        from = at + 1
      } else if (isEscaped) isEscaped = false
      else if (isText) {
        if (byte === quote) isText = false
        else if (byte === backslash) isEscaped = true
      } else if (depth === 0 && (byte === comma || byte === closeBracket)) {
        refuseLong(pieceBytes + at - from)
        const isEmptyArray = byte === closeBracket && rows === 0 && isBlank
        if (byte === closeBracket) place = 'after'
        if (!isEmptyArray) yield take(chunk.subarray(from, at))
        from = at + 1
      } else {
        isBlank &&= spaces.has(byte)
        if (byte === quote) isText = true
        else if (byte === openBrace || byte === openBracket) depth += 1
        else if (byte === closeBrace || byte === closeBracket) depth -= 1
      }
    }
    if (place !== 'inside') continue
    pieces.push(chunk.subarray(from))
    pieceBytes += chunk.length - from
    refuseLong(pieceBytes)
  }
  if (place === 'inside')
    throw new FileProblem(rows + 1, 'is the end of the file inside of the array: a bracket or a quote is not closed')
}

export const arrayExpected =
  'the file must be a JSON array of objects, such as [{"key":"a","title":"One"}]. Other files need the Content-Type text/csv or application/x-ndjson.'
