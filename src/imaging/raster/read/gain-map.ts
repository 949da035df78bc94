/**
 * The gain map of an HDR photo: a second, small JPEG behind the first. It has the factor by which an HDR screen shows each part
 * brighter (Ultra HDR 1.1, ISO 21496-1; CIPA DC-007 for the index of the images).
 */
import { limits } from '../../../limits.ts'
import type { GainMap } from '../../types.ts'
import { isFrameHeader, jpegMarkers, jpegSegments, startsWith } from './jpeg-segments.ts'
import { xmpHeader } from './metadata.ts'

export const isoHeader = Buffer.from('urn:iso:std:iso:ts:21496:-1\0')
export const indexHeader = Buffer.from('MPF\0')
/** The namespace of the values that a viewer needs. */
export const gainMapNamespace = 'http://ns.adobe.com/hdr-gain-map/1.0/'

/** Undefined if the JPEG has none, or is damaged there: then it's an ordinary photo. */
export function gainMapOf(bytes: Buffer, orientation = 1): GainMap | undefined {
  const primary = descriptionOf(bytes)
  if (primary.index === undefined || !primary.isHdr) return undefined
  for (const { start, end } of imagesIn(bytes, primary.index)) {
    const jpeg = bytes.subarray(start, end)
    if (jpeg.length > limits.gainMapBytesMax || jpeg[0] !== 0xff || jpeg[1] !== 0xd8) continue
    const { isHdr, width, height } = descriptionOf(jpeg)
    // Never larger than the photo.
    if (isHdr && width > 0 && width <= primary.width && height > 0 && height <= primary.height) {
      // A copy, so that the results of later steps don't keep the entire file in memory.
      return { jpeg: Buffer.from(jpeg), toMap: toStored(orientation), width, height }
    }
  }
  return undefined
}

interface Description {
  /** Whether it has the values of a gain map, or says that another image has them. */
  isHdr: boolean
  width: number
  height: number
  /** The index of images: its data, and the position that its offsets count from. */
  index?: { data: Buffer; start: number }
}

const { app1, app2 } = jpegMarkers

function descriptionOf(jpeg: Buffer): Description {
  const found: Description = { isHdr: false, width: 0, height: 0 }
  let hasXmp = false
  for (const { marker, start, data } of jpegSegments(jpeg)) {
    // A file has one packet (XMP part 3, 1.1.3). Hundreds of them would be searched again for each image of the index.
    if (marker === app1 && !hasXmp && startsWith(data, xmpHeader)) {
      hasXmp = true
      found.isHdr ||= data.includes(gainMapNamespace)
    }
    if (marker === app2 && startsWith(data, isoHeader)) found.isHdr = true
    if (marker === app2 && startsWith(data, indexHeader)) {
      const { length } = indexHeader
      found.index = { data: data.subarray(length), start: start + 4 + length }
    }
    if (isFrameHeader(marker) && data.length >= 6) {
      found.height = data.readUInt16BE(1)
      found.width = data.readUInt16BE(3)
    }
  }
  return found
}

const imagesTag = 0xb002
const entryBytes = 16
const imagesMax = 16

/** The images after the first one, by a directory like that of a TIFF. */
function imagesIn(bytes: Buffer, { data, start: base }: NonNullable<Description['index']>) {
  const images: { start: number; end: number }[] = []
  const order = data.toString('latin1', 0, 2)
  if (data.length < 8 || (order !== 'II' && order !== 'MM')) return images
  const read16 = (at: number) => (order === 'II' ? data.readUInt16LE(at) : data.readUInt16BE(at))
  const read32 = (at: number) => (order === 'II' ? data.readUInt32LE(at) : data.readUInt32BE(at))
  const directory = read32(4)
  if (directory + 2 > data.length) return images
  const end = Math.min(directory + 2 + 12 * read16(directory), data.length)
  for (let at = directory + 2; at + 12 <= end; at += 12) {
    if (read16(at) !== imagesTag) continue
    // A second list would be searched as well, image by image.
    if (images.length > 0) break
    const list = read32(at + 8)
    const count = Math.min(Math.floor(read32(at + 4) / entryBytes), imagesMax)
    for (
      let entry = list + entryBytes;
      entry + entryBytes <= Math.min(list + count * entryBytes, data.length);
      entry += entryBytes
    ) {
      const start = base + read32(entry + 8)
      const stop = start + read32(entry + 4)
      if (stop <= bytes.length) images.push({ start, end: stop })
    }
  }
  return images
}

/** The place in the stored image of each place in the upright one, by EXIF orientation. */
function toStored(orientation: number): GainMap['toMap'] {
  const mirrored = { xx: -1, x: 1 }
  const flipped = { yy: -1, y: 1 }
  const turned = { xx: 0, yy: 0 }
  const way = { xx: 1, xy: 0, yx: 0, yy: 1, x: 0, y: 0 }
  switch (orientation) {
    case 2:
      return { ...way, ...mirrored }
    case 3:
      return { ...way, ...mirrored, ...flipped }
    case 4:
      return { ...way, ...flipped }
    case 5:
      return { ...way, ...turned, xy: 1, yx: 1 }
    case 6:
      return { ...way, ...turned, xy: 1, yx: -1, y: 1 }
    case 7:
      return { ...way, ...turned, xy: -1, x: 1, yx: -1, y: 1 }
    case 8:
      return { ...way, ...turned, xy: -1, x: 1, yx: 1 }
    default:
      return way
  }
}
