/** What a file says besides its pixels: read with the header, carried with pictures, written again when asked for. */
import type { Metadata } from 'sharp'
import type { OutputFormat } from '../../../domain/output.ts'
import { failure } from '../../../errors.ts'
import type { ImageMetadata } from '../../types.ts'
import { loadSharp } from '../sharp.ts'

/** What is worth to be carried; nothing where there is none. */
export function metadataOf({ exif, xmp, iptc, icc, density }: Metadata): ImageMetadata | undefined {
  const metadata: ImageMetadata = {
    ...(exif && { exif }),
    ...(xmp && { xmp }),
    ...(iptc && { iptc }),
    // A grey or a CMYK profile does not fit the pixels that travel.
    ...(icc?.toString('latin1', 16, 20) === 'RGB ' && { icc }),
    ...(density && { density }),
  }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

/**
 * A JPEG of one pixel that carries EXIF, XMP and IPTC, and from which libvips writes them into any format. Orientation
 * and thumbnails stay behind: the pixels are turned already, and a thumbnail shows what the picture was before.
 */
export async function carrierOf({ exif, xmp, iptc }: ImageMetadata, format: OutputFormat): Promise<Buffer> {
  const sharp = await loadSharp()
  const black = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  const dot = await black.jpeg().toBuffer()
  const plainExif = exif && withoutThumbnail(exif)
  // Into a TIFF libvips would write Photoshop's resources where bare IPTC belongs.
  const plainIptc = iptc && format !== 'tiff' ? iptcOf(iptc) : undefined
  return Buffer.concat([
    dot.subarray(0, 2),
    ...(plainExif ? [segment(0xe1, 'EXIF', plainExif)] : []),
    ...(xmp ? [segment(0xe1, 'XMP', Buffer.concat([xmpHeader, plainXmp(xmp)]))] : []),
    ...(plainIptc ? [segment(0xed, 'IPTC', Buffer.concat([photoshopHeader, plainIptc]))] : []),
    dot.subarray(2),
  ])
}

const xmpHeader = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const photoshopHeader = Buffer.from('Photoshop 3.0\0')

function segment(marker: number, name: string, data: Buffer): Buffer {
  // Two bytes of length, which count themselves.
  if (data.length > 65_533) {
    throw failure(
      'limit_exceeded',
      `The ${name} of the source has ${data.length} bytes; at most 65533 can be kept. Leave output.metadata out, or set it to strip.`,
    )
  }
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** EXIF 2.32, 4.5: the thumbnail is the second directory, to which the first one points behind its entries. */
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

/** XMP repeats the orientation, and may hold thumbnails of its own. */
function plainXmp(xmp: Buffer): Buffer {
  const text = xmp.toString('latin1').replaceAll(/(tiff:Orientation(?:\s*=\s*["']|>)\s*)[2-8]/g, '$11')
  return Buffer.from(withoutThumbnails(text), 'latin1')
}

/** Not by an expression: that would look for an end anew from each of a thousand beginnings. */
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

/** The one resource that is IPTC, of Photoshop's many. That of a TIFF, which libvips reads cut short, is left out. */
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
