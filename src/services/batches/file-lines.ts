/** The lines of an uploaded text file, in bounded memory: checks its encoding and its size, and makes every line end with a line feed. */
import { isUtf8 } from 'node:buffer'
import { limits } from '../../limits.ts'
import { FileProblem } from './file-problem.ts'

/** Some whole lines. */
export interface Lines {
  /** The number of the first one, from 1. */
  first: number
  /** Each ends with a line feed. */
  text: string
}

interface Bounds {
  bytesMax?: number
  lineBytesMax?: number
}

/** Throws `FileProblem` with the line: an encoding other than UTF-8, too many bytes, a line that is too long. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  { bytesMax = limits.batchUploadBytesMax, lineBytesMax = limits.batchRowBytesMax }: Bounds = {},
): AsyncGenerator<Lines, void> {
  /** The beginning of a line whose end has not arrived. Joined once: a line can come in many small pieces. */
  let pieces: Uint8Array[] = []
  let pieceBytes = 0
  let bytes = 0
  let first = 1

  function take(end: Uint8Array): Lines {
    const joined = Buffer.concat([...pieces, end])
    pieces = []
    pieceBytes = 0
    const text = textOf(joined, first)
    const lines = { first, text: text.endsWith('\n') ? text : `${text}\n` }
    first += countLines(lines.text)
    return lines
  }

  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > bytesMax)
      throw new FileProblem(
        first,
        `is too large: at most ${bytesMax} bytes are accepted. Split the file into several batches.`,
      )
    const end = endOfLastLine(chunk)
    if (pieceBytes + (end === 0 ? chunk.length : firstLineEnd(chunk)) > lineBytesMax)
      throw new FileProblem(first, `is longer than ${lineBytesMax} bytes. Is a quote not closed?`)
    if (end > 0) yield take(chunk.subarray(0, end))
    if (end < chunk.length) {
      pieces.push(chunk.subarray(end))
      pieceBytes += chunk.length - end
    }
  }
  if (pieceBytes > 0) yield take(new Uint8Array())
}

const lineFeed = 10
const carriageReturn = 13

/** 0 if no line ends in it. A carriage return at the end may belong to a line feed that comes next. */
function endOfLastLine(chunk: Uint8Array): number {
  const returned = chunk.at(-1) === carriageReturn ? chunk.subarray(0, -1) : chunk
  return Math.max(chunk.lastIndexOf(lineFeed), returned.lastIndexOf(carriageReturn)) + 1
}

function firstLineEnd(chunk: Uint8Array): number {
  const ends = [chunk.indexOf(lineFeed), chunk.indexOf(carriageReturn)].filter((at) => at >= 0)
  return Math.min(chunk.length, ...ends)
}

const bom = '\uFEFF'

function textOf(bytes: Buffer, first: number): string {
  if (first === 1) refuseUtf16(bytes)
  if (!isUtf8(bytes)) {
    const line = first + lineIndex(bytes, (part) => !isUtf8(part))
    throw new FileProblem(line, 'is not UTF-8. Save the file as UTF-8: in Excel, "CSV UTF-8".')
  }
  // Covers all line ends: Windows, Unix, and old Macs.
  const text = bytes.toString('utf8').replace(/\r\n?/g, '\n')
  if (text.includes('\0')) {
    const line = first + countLines(text.slice(0, text.indexOf('\0')))
    throw new FileProblem(line, 'has a NUL character. Save the file as UTF-8: in Excel, "CSV UTF-8".')
  }
  return first === 1 && text.startsWith(bom) ? text.slice(1) : text
}

function refuseUtf16(bytes: Buffer): void {
  const [a, b, c, d] = bytes
  const isUtf16 =
    (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0 && b !== 0) || (b === 0 && d === 0)
  if (!isUtf16 || c === undefined) return
  throw new FileProblem(1, 'is UTF-16, but the file must be UTF-8. Save it as UTF-8: in Excel, "CSV UTF-8".')
}

function lineIndex(bytes: Buffer, isWrong: (line: Buffer) => boolean): number {
  let index = 0
  for (let from = 0; from < bytes.length; index += 1) {
    const end = bytes.indexOf(lineFeed, from)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end)
    if (isWrong(line)) return index
    if (end < 0) break
    from = end + 1
  }
  return index
}

export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
