/**
 * Reads the structure of a protobuf file without its large values: a model has up to 1 GiB of weights, of which only the position
 * matters. See protobuf.dev/programming-guides/encoding.
 */
import { readSync } from 'node:fs'

export interface ProtoField {
  number: number
  /** Value of a varint; capped, because all readers compare small numbers. */
  value: number
  /** Position of a value with a length: its first byte, and the byte after its last. */
  start: number
  end: number
}

export interface ProtoFile {
  size: number
  /** The fields of the message in this range. Throws `BadProto` if they don't fill it exactly. */
  fields(start: number, end: number): Generator<ProtoField>
  /** Text of a range, at most `textBytesMax` bytes. */
  text(field: ProtoField): string
}

/** Thrown if a file is not protobuf, or incomplete. */
export class BadProto extends Error {}

const windowBytes = 65_536
const textBytesMax = 200

export function openProto(descriptor: number, size: number): ProtoFile {
  const window = Buffer.alloc(windowBytes)
  let from = 0
  let length = 0

  function byteAt(at: number): number {
    if (at >= size) throw new BadProto('it ends too early')
    if (at < from || at >= from + length) {
      from = at
      length = readSync(descriptor, window, 0, windowBytes, at)
      if (length === 0) throw new BadProto('it ends too early')
    }
    return window[at - from] as number
  }

  /** The value, and the byte after it. */
  function varintAt(at: number): [value: number, next: number] {
    let value = 0
    for (let count = 0; count < 10; count += 1) {
      const byte = byteAt(at + count)
      // Exact up to 2^53. Larger numbers are only compared with the size of the file.
      value += (byte & 0x7f) * 2 ** (7 * count)
      if (byte < 0x80) return [value, at + count + 1]
    }
    throw new BadProto('a number is too long')
  }

  return {
    size,
    *fields(start, end) {
      let at = start
      while (at < end) {
        const [tag, afterTag] = varintAt(at)
        const number = Math.floor(tag / 8)
        let value = 0
        let first = afterTag
        let next: number
        switch (tag % 8) {
          case 0:
            ;[value, next] = varintAt(afterTag)
            break
          case 1:
            next = afterTag + 8
            break
          case 2: {
            const [bytes, afterLength] = varintAt(afterTag)
            first = afterLength
            next = afterLength + bytes
            break
          }
          case 5:
            next = afterTag + 4
            break
          default:
            throw new BadProto(`it has a field of an unknown type (${tag % 8})`)
        }
        if (number === 0 || next > end) throw new BadProto('a value is longer than its message')
        yield { number, value, start: first, end: next }
        at = next
      }
    },
    text({ start, end }) {
      const bytes = Buffer.from(
        Array.from({ length: Math.min(textBytesMax, end - start) }, (_, at) => byteAt(start + at)),
      )
      return bytes.toString('utf8')
    },
  }
}
