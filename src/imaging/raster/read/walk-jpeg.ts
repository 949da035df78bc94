/** Counts the segments and scans of a JPEG (ISO/IEC 10918-1, annex B), and checks its EXIF. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { checkExif } from './exif.ts'
import { isFrameHeader, jpegMarkers } from './jpeg-segments.ts'
import type { Reader } from './reader.ts'

/**
 * Each scan of a progressive JPEG goes through all coefficients of the image, although a few bytes can be enough for it: some 10 ms for
 * 10 megapixels. Throws
 * `limit_exceeded` for more scans, or more segments, than any program writes. Follows the decoder: it ends at the same marker.
 */
export async function walkJpeg(read: Reader): Promise<void> {
  let [segments, scans, components, isProgressive] = [0, 0, 0, false]
  for (let at = await nextMarker(read, 2); at + 4 <= read.size; at = await nextMarker(read, at)) {
    const bytes = read.bytes(at, 10)
    const head = bytes instanceof Promise ? await bytes : bytes
    const marker = head[1] as number
    const length = head.readUInt16BE(2)
    if (marker === end || length < 2) return
    if (isFrameHeader(marker)) {
      isProgressive ||= progressive.has(marker)
      components = head[9] ?? 0
    }
    if (marker === jpegMarkers.scan) {
      // One scan with all components: the decoder reads nothing after it.
      if (scans === 0 && !isProgressive && head[4] === components) return
      scans += 1
      if (scans > limits.jpegScansMax) throw tooManyScans()
    } else segments += 1
    if (segments > limits.jpegSegmentsMax) throw tooManySegments()
    if (marker === jpegMarkers.app1) checkExif(await read.bytes(at + 4, length - 2))
    at += 2 + length
  }
}

/** End of image. */
const end = 0xd9
/** SOF2 and SOF10. */
const progressive = new Set([0xc2, 0xca])

/**
 * The position of the next marker that ends the image or has a segment. Skips the data of a scan, in which 0 follows each byte of 0xff, and
 * markers without a segment.
 */
async function nextMarker(read: Reader, from: number): Promise<number> {
  let isMarker = false
  for (let start = from; start < read.size; ) {
    const loaded = read.window(start)
    const window = loaded instanceof Promise ? await loaded : loaded
    if (window.length === 0) break
    for (let at = 0; at < window.length; at += 1) {
      // Faster than the loop where 0xff is rare, and slower where it is not.
      if (!isMarker && at % 64 === 0) {
        const next = window.indexOf(0xff, at)
        if (next < 0) break
        at = next
      }
      const byte = window[at] as number
      if (isMarker && hasSegment(byte)) return start + at - 1
      isMarker = byte === 0xff
    }
    start += window.length
  }
  return read.size
}

/** Whether it follows 0xff at a marker that the decoder stops at: not RST0 to RST7, SOI, or those that are reserved. */
function hasSegment(marker: number): boolean {
  return marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd8)
}

function tooManyScans() {
  return failure(
    'limit_exceeded',
    `The progressive JPEG has more than ${limits.jpegScansMax} scans, the maximum. Export it again: programs write 6 to 12.`,
  )
}

function tooManySegments() {
  return failure(
    'limit_exceeded',
    `The JPEG has more than ${limits.jpegSegmentsMax} segments, the maximum. Export it again without its metadata.`,
  )
}
