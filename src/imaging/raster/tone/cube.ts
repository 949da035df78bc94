/**
 * Parses look-up tables: Cube LUT Specification 1.0 (Adobe, 2013), and the input ranges that DaVinci Resolve writes.
 */
import { counted } from '../../../../shared/text.ts'
import { createPauses } from '../../../domain/pauses.ts'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { abortFault, type JobContext } from '../jobs.ts'
import type { Lut } from './lut.ts'

/** Throws `input_invalid` with the line number, or `limit_exceeded`. */
export async function parseCube(text: string, context: Pick<JobContext, 'signal'>): Promise<Lut> {
  const header: Header = { min: [0, 0, 0], max: [1, 1, 1] }
  let values: Float32Array | undefined
  let filled = 0
  let line = 0
  const pauseIfDue = createPauses()
  for (const content of linesOf(text)) {
    line += 1
    if (line % linesAtOnce === 0) {
      await pauseIfDue()
      if (context.signal.aborted) throw abortFault(context.signal)
    }
    if (content === '' || content.startsWith('#')) continue
    if (content.length > lineCharsMax) throw wrong(line, `it has more than ${lineCharsMax} characters`)
    const words = content.split(/\s+/)
    const [first = ''] = words
    if (/^[a-z_]/i.test(first)) {
      if (values) throw wrong(line, `${quoted(first)} must come before the table`)
      readHeader(words, header, line)
      continue
    }
    values ??= tableFor(header, line)
    if (filled === values.length) throw wrong(line, `the table has more lines than ${sizeText(header)} requires`)
    values.set(numbersOf(words, 3, line), filled)
    filled += 3
  }
  values ??= tableFor(header, line)
  if (filled < values.length) {
    throw wrong(
      line,
      `the table has ${counted(filled / 3, 'line')}, but ${sizeText(header)} requires ${values.length / 3}`,
    )
  }
  const { size = 0, dimensions = 3, min, max } = header
  return { dimensions, size, min, max, values }
}

interface Header {
  dimensions?: 1 | 3
  size?: number
  min: number[]
  max: number[]
}

/** Lines after which it yields, and checks for cancellation. */
const linesAtOnce = 5_000
/** Limits of the specification. */
const lineCharsMax = 250

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    yield text.slice(at, end < 0 ? text.length : end).trim()
    at = end < 0 ? text.length : end + 1
  }
}

function readHeader(words: string[], header: Header, line: number): void {
  const [keyword = ''] = words
  switch (keyword) {
    case 'TITLE':
      return
    case 'LUT_1D_SIZE':
    case 'LUT_3D_SIZE': {
      if (header.size !== undefined) throw wrong(line, `${keyword} is a second size, but a table has only one`)
      const [size = 0] = numbersOf(words.slice(1), 1, line)
      const most = keyword === 'LUT_1D_SIZE' ? limits.lutCurveSizeMax : limits.lutCubeSizeMax
      if (!Number.isInteger(size) || size < 2)
        throw wrong(line, `${keyword} must be a whole number from 2, not ${size}`)
      if (size > most)
        throw failure(
          'limit_exceeded',
          `Line ${line} of the .cube file: ${keyword} must be at most ${most}, not ${size}.`,
        )
      header.size = size
      header.dimensions = keyword === 'LUT_1D_SIZE' ? 1 : 3
      return
    }
    case 'DOMAIN_MIN':
      header.min = numbersOf(words.slice(1), 3, line)
      return
    case 'DOMAIN_MAX':
      header.max = numbersOf(words.slice(1), 3, line)
      return
    case 'LUT_1D_INPUT_RANGE':
    case 'LUT_3D_INPUT_RANGE': {
      const [min = 0, max = 1] = numbersOf(words.slice(1), 2, line)
      header.min = [min, min, min]
      header.max = [max, max, max]
      return
    }
    default:
      throw wrong(line, `${quoted(keyword)} is not a known keyword. Known keywords: ${keywords}`)
  }
}

const keywords = 'TITLE, LUT_1D_SIZE, LUT_3D_SIZE, DOMAIN_MIN, DOMAIN_MAX, LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE'

function tableFor({ size, dimensions, min, max }: Header, line: number): Float32Array {
  if (size === undefined) throw wrong(line, 'LUT_1D_SIZE or LUT_3D_SIZE must come before the table')
  const empty = min.findIndex((low, channel) => low >= (max[channel] ?? 0))
  if (empty >= 0)
    throw wrong(line, `the maximum of the domain must be greater than its minimum (${min[empty]}), not ${max[empty]}`)
  return new Float32Array((dimensions === 1 ? size : size ** 3) * 3)
}

function numbersOf(words: string[], count: number, line: number): number[] {
  if (words.length !== count) {
    throw wrong(line, `${quoted(words.join(' '))} must be ${count} number${count === 1 ? '' : 's'}`)
  }
  return words.map((word) => {
    const number = Number(word)
    // Values beyond the range of a float are invalid.
    if (!Number.isFinite(Math.fround(number))) throw wrong(line, `${quoted(word)} is not a number`)
    return number
  })
}

function sizeText({ dimensions, size }: Header): string {
  return `LUT_${dimensions}D_SIZE ${size}`
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}...` : text)
}

function wrong(line: number, problem: string): Error {
  return failure('input_invalid', `Line ${line} of the .cube file: ${problem}.`)
}
