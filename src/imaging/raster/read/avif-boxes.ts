/** Boxes of an ISO media file (ISO/IEC 14496-12), and the fields in them. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Reader } from './reader.ts'

/** The range of its content. */
export interface Box {
  type: string
  start: number
  end: number
}

/** Boxes, entries of their tables, and units that a walk may still visit. */
export interface Budget {
  left: number
}

/** Throws `limit_exceeded` when a walk visits more than any program writes. */
export function spend(budget: Budget): void {
  budget.left -= 1
  if (budget.left >= 0) return
  throw failure('limit_exceeded', `The AVIF has more than ${limits.avifPartsMax} parts, the maximum. Export it again.`)
}

/** Ends at the first one that doesn't fit, like the decoder. */
export async function boxesIn(read: Reader, start: number, end: number, budget: Budget): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end; ) {
    spend(budget)
    const head = await read.bytes(at, 16)
    const short = head.readUInt32BE(0)
    if (short === 1 && head.length < 16) break
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short
    const headBytes = short === 1 ? 16 : 8
    if (size < headBytes || at + size > end) break
    boxes.push({ type: head.toString('latin1', 4, 8), start: at + headBytes, end: at + size })
    at += size
  }
  return boxes
}

/** Reads numbers in order. Throws `RangeError` after the end. */
export interface Fields {
  /** Of 0 to 8 bytes. */
  uint(bytes: number): number
  text(bytes: number): string
  left(): number
}

/** The content of a box. */
export async function fieldsOf(read: Reader, { type, start, end }: Box): Promise<Fields> {
  const length = end - start
  if (length > limits.avifBoxBytesMax) {
    throw failure(
      'limit_exceeded',
      `The box "${type}" of the AVIF has ${length} bytes; the maximum is ${limits.avifBoxBytesMax}. Export it again.`,
    )
  }
  const parts: Buffer[] = []
  for (let at = start; at < end; at += partBytes) {
    parts.push(Buffer.from(await read.bytes(at, Math.min(partBytes, end - at))))
  }
  return fieldsIn(Buffer.concat(parts))
}

const partBytes = 65_536

export function fieldsIn(data: Buffer): Fields {
  let at = 0
  const next = (bytes: number) => {
    at += bytes
    if (at > data.length) throw new RangeError('The box ends in a field.')
    return at - bytes
  }
  return {
    uint(bytes) {
      const from = next(bytes)
      if (bytes === 0) return 0
      return bytes <= 6 ? data.readUIntBE(from, bytes) : Number(data.readBigUInt64BE(from))
    },
    text(bytes) {
      const from = next(bytes)
      return data.toString('latin1', from, from + bytes)
    },
    left: () => data.length - at,
  }
}
