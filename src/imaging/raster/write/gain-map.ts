/** Adds the gain map of the source to a JPEG (Ultra HDR 1.1, ISO 21496-1). */
import { Fault } from '../../../errors.ts'
import type { GainMap } from '../../types.ts'
import { type ImageContext, runSharp, sharpOf, timeoutSeconds, toPixels } from '../image.ts'
import { gainMapNamespace, indexHeader, isoHeader } from '../read/gain-map.ts'
import { type JpegSegment, jpegMarkers, jpegSegment, jpegSegments, startsWith } from '../read/jpeg-segments.ts'
import { xmpHeader } from '../read/metadata.ts'
import { orient } from '../read/orient.ts'
import { loadSharp } from '../sharp.ts'
import { withDescription } from '../xmp.ts'

const { app0, app1, app2, app15 } = jpegMarkers

export interface EncodedGainMap {
  jpeg: Buffer
  /** Whether it also has the values of ISO 21496-1. */
  isIso: boolean
}

/**
 * The part of the gain map that belongs to an image of this size, as a JPEG. Undefined if it can't be decoded: the image is valid without
 * it.
 */
export async function encodeGainMap(
  gainMap: GainMap,
  size: { width: number; height: number },
  context: ImageContext,
): Promise<EncodedGainMap | undefined> {
  try {
    const bare = await reencoded(gainMap, size, context)
    const values = [...jpegSegments(gainMap.jpeg)].filter(isValues)
    const segments = values.map(({ start, end }) => gainMap.jpeg.subarray(start, end))
    const isIso = values.some(({ marker }) => marker === app2)
    return { jpeg: Buffer.concat([bare.subarray(0, 2), ...segments, bare.subarray(2)]), isIso }
  } catch (error) {
    if (error instanceof Fault && error.details.reason === 'input_invalid') return undefined
    throw error
  }
}

/** Whether a segment has the values of one of the two standards: XMP, or binary. */
function isValues({ marker, data }: JpegSegment): boolean {
  if (marker === app2) return startsWith(data, isoHeader)
  return marker === app1 && startsWith(data, xmpHeader) && data.includes(gainMapNamespace)
}

/** Higher than that of most sources: their blocks and those of the result are not at the same places. */
const quality = 90

async function reencoded(
  { jpeg, toMap, width, height }: GainMap,
  size: { width: number; height: number },
  context: ImageContext,
): Promise<Buffer> {
  const { xx, xy, yx, yy } = toMap
  const isTurned = xx === 0
  const across = span(toMap.x, isTurned ? xy : xx, width)
  const down = span(toMap.y, isTurned ? yx : yy, height)
  // As many pixels for each pixel of the image as in the source, and no more than it has.
  const [shownWidth, shownHeight] = isTurned ? [size.height, size.width] : [size.width, size.height]
  const sharp = await loadSharp()
  const source = sharp(jpeg, { failOn: 'error', limitInputPixels: context.pixelsMax, ignoreIcc: true })
  source.extract({ left: across.start, top: down.start, width: across.length, height: down.length })
  source.resize(Math.min(across.length, shownWidth), Math.min(down.length, shownHeight), {
    fit: 'fill',
    kernel: 'mitchell',
  })
  const image = await sharpOf(await toPixels(context, source.toColourspace('srgb').removeAlpha()))
  orient(image, orientationOf(toMap))
  const isGrey = (await sharp(jpeg).metadata()).channels === 1
  if (isGrey) image.toColourspace('b-w')
  image
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: true })
    .timeout({ seconds: timeoutSeconds(context) })
  return runSharp(context, () => image.toBuffer())
}

/** Whole pixels that cover a part from `start` to `start + extent`, in shares of the side; at least one. */
function span(from: number, extent: number, side: number): { start: number; length: number } {
  const [low, high] = [Math.min(from, from + extent) * side, Math.max(from, from + extent) * side]
  const start = Math.min(side - 1, Math.max(0, Math.round(low)))
  return { start, length: Math.max(1, Math.min(side, Math.round(high)) - start) }
}

/** The EXIF orientation with the same effect. */
function orientationOf({ xx, xy, yx, yy }: GainMap['toMap']): number {
  if (xx !== 0) return xx > 0 ? (yy > 0 ? 1 : 4) : yy > 0 ? 2 : 3
  return xy > 0 ? (yx > 0 ? 5 : 6) : yx > 0 ? 8 : 7
}

/** The JPEG with the gain map behind it. Viewers that don't know gain maps show the JPEG alone. */
export function withGainMap(jpeg: Buffer, { jpeg: map, isIso }: EncodedGainMap): Buffer {
  const segments = [...jpegSegments(jpeg)]
  const isXmp = ({ marker, data }: JpegSegment) => marker === app1 && startsWith(data, xmpHeader)
  const xmp = segments.find(isXmp)?.data.subarray(xmpHeader.length)
  // All segments of applications come first.
  const head = segments.filter(({ marker }) => marker >= app0 && marker <= app15)
  const rest = jpeg.subarray(head.at(-1)?.end ?? 2)
  const before = Buffer.concat([
    jpeg.subarray(0, 2),
    ...head.filter((segment) => !isXmp(segment)).map(({ start, end }) => jpeg.subarray(start, end)),
    jpegSegment(app1, xmpHeader, Buffer.from(withDescription(xmp, directoryOf(map.length), isDirectory))),
    // In the first image: the versions of the standard that are needed to read it, and to write it.
    ...(isIso ? [jpegSegment(app2, isoHeader, Buffer.alloc(4))] : []),
  ])
  const indexed = indexBytes + rest.length
  const index = indexOf(before.length + indexed, indexed - indexOffsetsAt, map.length)
  return Buffer.concat([before, index, rest, map])
}

const container = 'http://ns.google.com/photos/1.0/container/'
const containerItem = 'http://ns.google.com/photos/1.0/container/item/'

function directoryOf(bytes: number): string {
  const item = (attributes: string) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item ${attributes} Item:Mime="image/jpeg"/></rdf:li>`
  const items = `${item('Item:Semantic="Primary"')}${item(`Item:Semantic="GainMap" Item:Length="${bytes}"`)}`
  return `<rdf:Description rdf:about="" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:Container="${container}" xmlns:Item="${containerItem}" xmlns:hdrgm="${gainMapNamespace}" hdrgm:Version="1.0"><Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory></rdf:Description>`
}

/** Properties that describe the images in the source file. They are wrong for the new file. */
function isDirectory({ uri, local }: { uri: string; local: string }): boolean {
  return (uri === container && local === 'Directory') || (uri === gainMapNamespace && local === 'Version')
}

/** CIPA DC-007, 5.2: a directory with three entries, and two images of 16 bytes. */
const indexBytes = 4 + indexHeader.length + 8 + 2 + 3 * 12 + 4 + 2 * 16
/** Offsets count from the byte after the header. */
const indexOffsetsAt = 4 + indexHeader.length

function indexOf(firstBytes: number, offset: number, secondBytes: number): Buffer {
  const data = Buffer.alloc(indexBytes - 4 - indexHeader.length)
  data.write('MM\0*\0\0\0\x08\0\x03', 'latin1')
  const list = 8 + 2 + 3 * 12 + 4
  const entries = [
    // Version, as four characters.
    [0xb000, 7, 4, 0x30313030],
    // The number of images.
    [0xb001, 4, 1, 2],
    // The images.
    [0xb002, 7, 32, list],
  ] as const
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    data.writeUInt16BE(tag, at)
    data.writeUInt16BE(type, at + 2)
    data.writeUInt32BE(count, at + 4)
    data.writeUInt32BE(value, at + 8)
  }
  // The type of the first image: the one that is shown.
  data.writeUInt32BE(0x0003_0000, list)
  data.writeUInt32BE(firstBytes, list + 4)
  data.writeUInt32BE(secondBytes, list + 16 + 4)
  data.writeUInt32BE(offset, list + 16 + 8)
  return jpegSegment(app2, indexHeader, data)
}
