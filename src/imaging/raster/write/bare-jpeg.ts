/** A JPEG without EXIF, XMP, IPTC, comments and further images; pixels and profile do not change. */
import { jpegMarkers, jpegSegments } from '../read/jpeg-segments.ts'

const { scan, app1, app2, app13, comment } = jpegMarkers
const telling = new Set([app1, app13, comment])

/** Undefined if its segments are inconsistent. */
export function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  for (const { marker, start, end, data } of jpegSegments(bytes)) {
    const isIndex = marker === app2 && data.toString('latin1', 0, 4) === 'MPF\0'
    if (!telling.has(marker) && !isIndex) kept.push(bytes.subarray(start, end))
    if (marker === scan) return Buffer.concat(kept)
  }
  return undefined
}
