/** Metadata of files: read with the header, carried with image values, and written on request. */
import type { Metadata } from 'sharp'
import type { OutputFormat } from '../../../domain/workflows/output.ts'
import { failure } from '../../../errors.ts'
import type { ImageMetadata } from '../../types.ts'
import { loadSharp } from '../sharp.ts'

/**
 * Maximum of EXIF, XMP and IPTC each, which files of outputs can have up to 64 KiB of. In a PNG, 30 kB can unpack to 30
 * MB.
 */
const partBytesMax = 1_048_576
/** Profiles of RGB have some kilobytes, and with large tables at most some megabytes. */
const profileBytesMax = 4_194_304

/** Metadata that is carried; undefined if there is none. */
export function metadataOf({ exif, xmp, iptc, icc, density }: Metadata): ImageMetadata | undefined {
  const metadata: ImageMetadata = {
    ...(exif && { exif: beginningOf(exif) }),
    ...(xmp && { xmp: beginningOf(xmp) }),
    ...(iptc && { iptc: beginningOf(iptc) }),
    // A grey or CMYK profile does not fit the RGB pixels.
    ...(icc && icc.length <= profileBytesMax && icc.toString('latin1', 16, 20) === 'RGB ' && { icc }),
    ...(density && { density }),
  }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

/** Enough for an output that keeps it to fail, because it is too large. The rest is not held in memory. */
function beginningOf(part: Buffer): Buffer {
  return part.length <= partBytesMax ? part : Buffer.from(part.subarray(0, partBytesMax))
}

/**
 * A JPEG of one pixel that contains EXIF, XMP and IPTC, from which libvips copies them to any format. Orientation and
 * thumbnails are removed: the pixels are already rotated, and a thumbnail shows the image before its changes.
 */
export async function carrierOf({ exif, xmp, iptc }: ImageMetadata, format: OutputFormat): Promise<Buffer> {
  const sharp = await loadSharp()
  const black = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  const dot = await black.jpeg().toBuffer()
  const plainExif = exif && withoutThumbnail(exif)
  // For TIFF, libvips would write Photoshop resources in place of bare IPTC.
  const plainIptc = iptc && format !== 'tiff' ? iptcOf(iptc) : undefined
  return Buffer.concat([
    dot.subarray(0, 2),
    ...(plainExif ? [segment(0xe1, 'EXIF', plainExif)] : []),
    ...(xmp ? [segment(0xe1, 'XMP', Buffer.concat([xmpHeader, plainXmp(xmp)]))] : []),
    ...(plainIptc ? [segment(0xed, 'IPTC', Buffer.concat([photoshopHeader, plainIptc]))] : []),
    dot.subarray(2),
  ])
}

export const xmpHeader = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const photoshopHeader = Buffer.from('Photoshop 3.0\0')

function segment(marker: number, name: string, data: Buffer): Buffer {
  // A length of two bytes, which includes itself.
  if (data.length > 65_533) {
    throw failure(
      'limit_exceeded',
      `The ${name} metadata of the source has ${data.length} bytes; the maximum is 65533. Set "metadata" of the output to "strip", or remove it.`,
    )
  }
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** EXIF 2.32, 4.5: the thumbnail is the second directory; the pointer to it follows the entries of the first. */
function withoutThumbnail(exif: Buffer): Buffer | undefined {
  const start = exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0
  const tiff = exif.subarray(start)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  if (tiff.length < 14 || (!little && tiff.toString('latin1', 0, 2) !== 'MM')) return undefined
  const out = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const body = out.subarray(6)
  const first = little ? body.readUInt32LE(4) : body.readUInt32BE(4)
  if (first + 2 > body.length) return undefined
  const entries = little ? body.readUInt16LE(first) : body.readUInt16BE(first)
  const next = first + 2 + entries * 12
  if (next + 4 > body.length) return undefined
  body.fill(0, next, next + 4)
  return out
}

/** XMP repeats the orientation and can contain further thumbnails. */
function plainXmp(xmp: Buffer): Buffer {
  const text = xmp.toString('latin1').replaceAll(/(tiff:Orientation(?:\s*=\s*["']|>)\s*)[2-8]/g, '$11')
  return Buffer.from(withoutThumbnails(text), 'latin1')
}

/** No regular expression: it would search for an end again from each of a thousand starts. */
function withoutThumbnails(xmp: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = xmp.indexOf('<xmp:Thumbnails>', at)
    const end = start < 0 ? -1 : xmp.indexOf(thumbnailsEnd, start)
    if (end < 0) return [...kept, xmp.slice(at)].join('')
    kept.push(xmp.slice(at, start))
    at = end + thumbnailsEnd.length
  }
}

const thumbnailsEnd = '</xmp:Thumbnails>'

/** The IPTC resource among the resources of Photoshop. Resources of a TIFF, which libvips truncates, are omitted. */
function iptcOf(data: Buffer): Buffer | undefined {
  let at = data.subarray(0, photoshopHeader.length).equals(photoshopHeader) ? photoshopHeader.length : 0
  while (at + 12 <= data.length && data.toString('latin1', at, at + 4) === '8BIM') {
    const id = data.readUInt16BE(at + 4)
    const nameEnd = at + 6 + even((data[at + 6] ?? 0) + 1)
    if (nameEnd + 4 > data.length) return undefined
    const end = nameEnd + 4 + data.readUInt32BE(nameEnd)
    if (id === iptcResource) return end > data.length ? undefined : resource(data.subarray(nameEnd + 4, end))
    at = even(end)
  }
  return undefined
}

const iptcResource = 0x0404

function resource(iptc: Buffer): Buffer {
  const head = Buffer.from('8BIM\x04\x04\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(iptc.length, 8)
  return Buffer.concat([head, iptc, Buffer.alloc(iptc.length % 2)])
}

function even(count: number): number {
  return count + (count % 2)
}
