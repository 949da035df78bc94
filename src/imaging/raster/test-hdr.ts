/** HDR photos for tests: JPEG files with a gain map. */
import { jpegMarkers, jpegSegment } from './read/jpeg-segments.ts'
import { xmpHeader } from './read/metadata.ts'
import { loadSharp } from './sharp.ts'
import { withGainMap } from './write/gain-map.ts'

const values =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="0" hdrgm:GainMapMax="2" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2" hdrgm:BaseRenditionIsHDR="False"/></rdf:RDF></x:xmpmeta>'

interface HdrOptions {
  orientation?: number
  isGrey?: boolean
  map?: Buffer
}

/**
 * A photo of 320 x 240 pixels whose upper left quarter is red, and four times as bright in HDR. `isGrey`: whether the map has one
 * channel. `map`: another JPEG instead. With an `orientation`, it is the upper left of the stored pixels.
 */
export async function hdrPhoto({ orientation = 1, isGrey = true, map }: HdrOptions = {}): Promise<Buffer> {
  const sharp = await loadSharp()
  const quarter = (width: number, height: number, color: string, background: string) =>
    sharp({ create: { width, height, channels: 3, background } }).composite([
      { input: { create: { width: width / 2, height: height / 2, channels: 3, background: color } }, left: 0, top: 0 },
    ])
  const photo = quarter(320, 240, '#ff0000', '#808080').withMetadata({ orientation })
  const brightness = quarter(80, 60, '#ffffff', '#000000').toColourspace(isGrey ? 'b-w' : 'srgb')
  const jpeg = map ?? (await brightness.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer())
  const described = Buffer.concat([
    jpeg.subarray(0, 2),
    jpegSegment(jpegMarkers.app1, xmpHeader, Buffer.from(values)),
    jpeg.subarray(2),
  ])
  return withGainMap(await photo.jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(), { jpeg: described, isIso: false })
}

/** Runs `work` while sharp reads gain maps with libultrahdr, which the service doesn't use. */
export async function withUltraHdr<T>(work: (sharp: Awaited<ReturnType<typeof loadSharp>>) => Promise<T>): Promise<T> {
  const sharp = await loadSharp()
  const loaders = ['VipsForeignLoadUhdr']
  sharp.unblock({ operation: loaders })
  try {
    return await work(sharp)
  } finally {
    sharp.block({ operation: loaders })
  }
}
