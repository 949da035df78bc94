/** Walks the chunks of a PNG: bounds what its decoder does before it reads pixels, and detects a truncated file. */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { checkExif, exifBytesRead } from './exif.ts'
import type { Reader } from './reader.ts'

export interface WalkedPng {
  isComplete: boolean
  /** Whether it has the chunk that makes it an animation; it precedes the image. */
  isAnimated: boolean
}

/**
 * Throws `limit_exceeded` for too many chunks: an untrusted file may contain millions of empty ones. libpng unpacks each compressed text
 * before the first row, and keeps all of them; ImageMagick writes up to six.
 */
export async function walkPng(read: Reader): Promise<WalkedPng> {
  let [count, texts, unpacked, hasImage, isAnimated] = [0, 0, 0, false, false]
  for (let at = 8; at + 12 <= read.size; ) {
    count += 1
    if (count > limits.pngChunksMax) throw tooManyChunks()
    const bytes = read.bytes(at, 8)
    const head = bytes instanceof Promise ? await bytes : bytes
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    const data = at + 8
    at = data + length + 4
    if (type === 'IEND') return { isComplete: at <= read.size, isAnimated }
    hasImage ||= type === 'IDAT'
    isAnimated ||= type === 'acTL' && !hasImage
    if (type === 'eXIf') checkExif(await read.bytes(data, Math.min(length, exifBytesRead)))
    if (type !== 'zTXt' && type !== 'iTXt') continue
    const packed = packedText(type, await read.bytes(data, Math.min(length, textHeadBytesMax)), length)
    if (packed === undefined) continue
    texts += 1
    if (texts > limits.pngTextsMax) throw tooManyTexts()
    if (packed > 0) unpacked += await unpackedBytes(read, data + packed, data + length, unpacked)
  }
  return { isComplete: false, isAnimated }
}

/** The keyword has at most 79 bytes; the language and the keyword in it, which follow in an iTXt, are rarely longer. */
const textHeadBytesMax = 4_096

/**
 * Where the packed text starts in its chunk; 0 for XMP that isn't packed, of which libvips keeps each as well, and `undefined` for other
 * texts. W3C PNG, 11.3.3: zTXt has a keyword, 0 and the method; iTXt has a keyword, 0, whether it is packed, the method, and two more
 * texts that end with 0.
 */
function packedText(type: 'zTXt' | 'iTXt', head: Buffer, length: number): number | undefined {
  const keywordEnd = head.indexOf(0)
  if (keywordEnd < 0) return undefined
  if (type === 'zTXt') return keywordEnd + 2
  if (head[keywordEnd + 1] === 0) return head.toString('latin1', 0, keywordEnd) === xmpKeyword ? 0 : undefined
  const languageEnd = head.indexOf(0, keywordEnd + 3)
  const translatedEnd = languageEnd < 0 ? -1 : head.indexOf(0, languageEnd + 1)
  if (translatedEnd >= 0) return translatedEnd + 1
  if (head.length < length) throw tooLongTexts()
  return undefined
}

const xmpKeyword = 'XML:com.adobe.xmp'

const unpack = promisify(inflate)

/** Unpacked in a thread. A damaged one counts with its packed bytes: the decoder ignores it. */
async function unpackedBytes(read: Reader, start: number, end: number, before: number): Promise<number> {
  const packed = end - start
  if (packed > limits.pngTextBytesMax) throw tooLongTexts()
  const parts: Buffer[] = []
  for (let at = start; at < Math.min(end, read.size); at += partBytes) {
    parts.push(Buffer.from(await read.bytes(at, Math.min(partBytes, end - at))))
  }
  try {
    const maxOutputLength = Math.max(1, limits.pngTextBytesMax - before)
    return (await unpack(Buffer.concat(parts), { maxOutputLength })).length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLongTexts()
    return packed
  }
}

const partBytes = 65_536

function tooManyChunks() {
  return failure('limit_exceeded', `The PNG has more than ${limits.pngChunksMax} chunks, the maximum. Export it again.`)
}

function tooManyTexts() {
  return failure(
    'limit_exceeded',
    `The PNG has more than ${limits.pngTextsMax} compressed texts and XMP packets, the maximum. Export it again without its metadata.`,
  )
}

function tooLongTexts() {
  return failure(
    'limit_exceeded',
    `The compressed texts of the PNG have more than ${limits.pngTextBytesMax} bytes, the maximum. Export it again without its metadata.`,
  )
}
