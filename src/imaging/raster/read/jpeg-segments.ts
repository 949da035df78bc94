/** The segments of a JPEG before its first scan (ISO/IEC 10918-1, B.1.1). */
export interface JpegSegment {
  marker: number
  /** Start of the segment, with its marker. */
  start: number
  end: number
  /** Content without marker and length. */
  data: Buffer
}

/** Markers of segments. */
export const jpegMarkers = { scan: 0xda, app0: 0xe0, app1: 0xe1, app2: 0xe2, app13: 0xed, app15: 0xef, comment: 0xfe }

/** The headers of a frame: SOF0 to SOF15, without DHT, JPG and DAC. */
export function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Photos have some hundreds. */
export const jpegSegmentsMax = 4_000

/** The last one is the start of the scan, with all bytes after it. Ends early if the segments are inconsistent, or too many. */
export function* jpegSegments(bytes: Buffer): Generator<JpegSegment> {
  let steps = 0
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && steps < jpegSegmentsMax; steps += 1) {
    const marker = bytes[at + 1] as number
    // Bytes of 0xff may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = marker === jpegMarkers.scan ? bytes.length : at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return
    yield { marker, start: at, end, data: bytes.subarray(at + 4, end) }
    at = end
  }
}

export function jpegSegment(marker: number, ...data: Buffer[]): Buffer {
  const all = Buffer.concat(data)
  const head = Buffer.from([0xff, marker, 0, 0])
  // The length includes itself.
  head.writeUInt16BE(all.length + 2, 2)
  return Buffer.concat([head, all])
}

export function startsWith(data: Buffer, header: Buffer): boolean {
  return data.subarray(0, header.length).equals(header)
}
