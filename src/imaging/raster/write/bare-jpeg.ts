/** A JPEG without EXIF, XMP, IPTC, comments and further images; pixels and profile do not change. */

/** ISO/IEC 10918-1, B.1.1.3. */
const startOfScan = 0xda
/** APP1 (EXIF, XMP), APP13 (IPTC), COM. */
const telling = new Set([0xe1, 0xed, 0xfe])
const app2 = 0xe2

/** Undefined if its segments are inconsistent. */
export function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number
    // Bytes of 0xff may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === startOfScan) return Buffer.concat([...kept, bytes.subarray(at)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const isIndex = marker === app2 && bytes.toString('latin1', at + 4, at + 8) === 'MPF\0'
    if (!telling.has(marker) && !isIndex) kept.push(bytes.subarray(at, end))
    at = end
  }
  return undefined
}
