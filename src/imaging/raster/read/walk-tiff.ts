/**
 * Counts the entries of the directories of a TIFF (TIFF 6.0, and BigTIFF): the decoder reads those of all pages together with the header,
 * also if only the first page is used, and can't be interrupted.
 */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Reader } from './reader.ts'

/** Where the fields of a file are. A BigTIFF has longer ones. */
interface Layout {
  isLittle: boolean
  isBig: boolean
  /** Bytes of the number of entries, of an entry, and of a position or a number of values. */
  countBytes: number
  entryBytes: number
  longBytes: number
}

/** Throws `limit_exceeded` for more entries, or more values in them, than any program writes. */
export async function walkTiff(read: Reader): Promise<void> {
  const head = await read.bytes(0, 16)
  const layout = layoutOf(head)
  if (head.length < 16) return
  let [entries, bytes] = [0, 0]
  let at = unsigned(head, layout.isBig ? 8 : 4, layout.longBytes, layout)
  while (at > 0) {
    const count = unsigned(await read.bytes(at, layout.countBytes), 0, layout.countBytes, layout)
    if (count > limits.tiffPageEntriesMax) throw tooManyInPage(count)
    // Few entries count too: directories can refer to one another.
    entries += Math.max(usualEntries, count)
    if (entries > limits.tiffEntriesMax) throw tooMany()
    const content = await read.bytes(at + layout.countBytes, count * layout.entryBytes + layout.longBytes)
    // The decoder ends here too.
    if (content.length < count * layout.entryBytes + layout.longBytes) return
    for (let entry = 0; entry < count; entry += 1) {
      bytes += Math.min(valueBytes(content, entry * layout.entryBytes, layout), read.size)
    }
    if (bytes > 2 * read.size) throw failure('input_invalid', sharedData)
    at = unsigned(content, count * layout.entryBytes, layout.longBytes, layout)
  }
}

/** The fewest that programs write for a page. */
const usualEntries = 10

const sharedData = 'The TIFF is corrupt: entries of its pages use the same data. Export it again.'

function layoutOf(head: Buffer): Layout {
  const isLittle = head.toString('latin1', 0, 2) === 'II'
  const isBig = head.includes('+')
  return isBig
    ? { isLittle, isBig, countBytes: 8, entryBytes: 20, longBytes: 8 }
    : { isLittle, isBig, countBytes: 2, entryBytes: 12, longBytes: 4 }
}

/** Bytes of the values of an entry that are not in the entry. */
function valueBytes(content: Buffer, at: number, layout: Layout): number {
  const type = unsigned(content, at + 2, 2, layout)
  const bytes = (typeBytes[type] ?? 8) * unsigned(content, at + 4, layout.longBytes, layout)
  return bytes > layout.longBytes ? bytes : 0
}

/** By the number of the type, from BYTE (1) to IFD8 (18). */
const typeBytes = [8, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 8, 8, 8, 8, 8]

/** 0 after the end. */
function unsigned(data: Buffer, at: number, bytes: number, { isLittle }: Layout): number {
  if (at + bytes > data.length) return 0
  if (bytes === 8) return Number(isLittle ? data.readBigUInt64LE(at) : data.readBigUInt64BE(at))
  return isLittle ? data.readUIntLE(at, bytes) : data.readUIntBE(at, bytes)
}

function tooManyInPage(count: number) {
  return failure(
    'limit_exceeded',
    `A page of the TIFF has ${count} entries of metadata; the maximum is ${limits.tiffPageEntriesMax}. Export it again without its metadata.`,
  )
}

function tooMany() {
  return failure(
    'limit_exceeded',
    `The pages of the TIFF have more than ${limits.tiffEntriesMax} entries of metadata, the maximum. Export only its first page, the one that is used.`,
  )
}
