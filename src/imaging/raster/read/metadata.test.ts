import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { EncodeSettings, OutputFormat } from '../../../domain/workflows/output.ts'
import { Fault } from '../../../errors.ts'
import type { ImageValue } from '../../types.ts'
import { imageFromBytes, imageFromPixels, pixelsOf } from '../image.ts'
import { loadSharp } from '../sharp.ts'
import { contextFor, paint, pixelAt } from '../test-images.ts'
import { encode } from '../write/encode.ts'

const context = contextFor()
const sharp = await loadSharp()
const xmpText =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>' +
  '<xmp:Thumbnails>BEFORE</xmp:Thumbnails></rdf:RDF></x:xmpmeta>'
/** Left half red, right half blue. */
const halves = paint(48, 24, (x) => (x < 24 ? [220, 30, 30] : [30, 30, 220]))

/** A photograph lying on its side, with a place, a copyright, a caption and a thumbnail. */
async function photograph(): Promise<Buffer> {
  const { data, width, height, channels } = halves
  const jpeg = await sharp(data, { raw: { width, height, channels } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: 'A. Photographer' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withXmp(xmpText)
    .withDensity(300)
    .jpeg({ quality: 95 })
    .toBuffer()
  return Buffer.concat([jpeg.subarray(0, 2), captioned('Sunset'), jpeg.subarray(2)])
}

/** APP13: a thumbnail of Photoshop's (0x040c) before the caption (IPTC 2:120). */
function captioned(caption: string): Buffer {
  const iptc = Buffer.concat([Buffer.from([0x1c, 2, 120, 0, caption.length]), Buffer.from(caption)])
  const block = (id: number, data: Buffer) => {
    const head = Buffer.alloc(12)
    head.write('8BIM')
    head.writeUInt16BE(id, 4)
    head.writeUInt32BE(data.length, 8)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const body = Buffer.concat([
    Buffer.from('Photoshop 3.0\0'),
    block(0x040c, Buffer.from('BEFORE')),
    block(0x0404, iptc),
  ])
  return Buffer.concat([Buffer.from([0xff, 0xed, 0, body.length + 2]), body])
}

const source = await imageFromBytes(await photograph(), context)

async function headerOf(image: ImageValue, settings: EncodeSettings) {
  const { bytes } = await encode(image, settings, context)
  return { bytes, ...(await sharp(bytes).metadata()) }
}

test('removes the metadata of the source by default, in any format', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const) {
    const { bytes, exif, xmp, iptc, icc } = await headerOf(source, { format })
    assert.deepEqual([exif, xmp, iptc, icc], [undefined, undefined, undefined, undefined], format)
    assert.ok(!bytes.includes('Photographer'))
  }
})

const kept: [OutputFormat, string[]][] = [
  ['jpeg', ['exif', 'xmp', 'iptc']],
  ['png', ['exif', 'xmp']],
  ['webp', ['exif', 'xmp']],
  ['avif', ['exif', 'xmp']],
  ['tiff', ['xmp']],
]

for (const [format, names] of kept) {
  test(`${format} keeps ${names.join(', ')} on request, rotated once, without a thumbnail`, async () => {
    const header = await headerOf(source, { format, metadata: 'keep', quality: 95 })
    for (const name of ['exif', 'xmp', 'iptc'] as const)
      assert.equal(header[name] !== undefined, names.includes(name), name)
    if (names.includes('exif')) assert.ok(header.exif?.includes('A. Photographer'))
    if (names.includes('iptc')) assert.ok(header.iptc?.includes('Sunset'))
    assert.match(header.xmp?.toString() ?? '', /tiff:Orientation="1"/)
    assert.ok([undefined, 1].includes(header.orientation), `${header.orientation}`)
    assert.deepEqual([header.width, header.height], [24, 48])
    assert.ok(!header.bytes.includes('BEFORE'))
    // The left side is on top, as the orientation declares, and is rotated only once.
    const back = await pixelsOf(await imageFromBytes(header.bytes, context), context)
    assert.ok((pixelAt(back, 12, 4)[0] ?? 0) > 150 && (pixelAt(back, 12, 44)[2] ?? 0) > 150)
  })
}

test('keeps the density of the source with its metadata, and accepts another one', async () => {
  for (const format of ['png', 'jpeg', 'tiff'] as const) {
    assert.equal((await headerOf(source, { format, metadata: 'keep' })).density, 300, format)
    assert.equal((await headerOf(source, { format, density: 150 })).density, 150, format)
    assert.equal((await headerOf(source, { format, density: 150, metadata: 'keep' })).density, 150, format)
  }
  for (const format of ['webp', 'avif'] as const) assert.ok((await headerOf(source, { format, density: 150 })).exif)
})

test('keeping metadata changes no pixel, whether opaque, soft or transparent white', async () => {
  const soft = paint(31, 17, (x, y) => [x * 8, y * 15, 99, x * 8])
  const metadata = source.metadata
  assert.ok(metadata)
  for (const pixels of [halves, soft]) {
    for (const settings of [{ format: 'png' }, { format: 'webp', lossless: true }, { format: 'jpeg' }] as const) {
      const image = { ...imageFromPixels(pixels), metadata }
      const [plain, kept] = await Promise.all(
        (['strip', 'keep'] as const).map(async (metadata) => {
          const { bytes } = await encode(image, { ...settings, metadata }, context)
          return sharp(bytes).raw().toBuffer()
        }),
      )
      assert.ok(plain && kept?.equals(plain), settings.format)
    }
  }
})

test('omits malformed EXIF and writes the image', async () => {
  for (const exif of [
    'Exif\0\0',
    'Exif\0\0II*\0\xff\xff\xff\x7f\0\0\0\0\0',
    'nothing of that kind',
    'Exif\0\0MM\0*\0\0\0\x08\xff\xff\0\0',
  ]) {
    const image = { ...imageFromPixels(halves), metadata: { exif: Buffer.from(exif, 'latin1') } }
    const { width } = await headerOf(image, { format: 'jpeg', metadata: 'keep' })
    assert.equal(width, 48)
  }
  const iptc = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\x00\x00\xff\xff\xff\xff', 'latin1')
  assert.equal(
    (await headerOf({ ...imageFromPixels(halves), metadata: { iptc } }, { format: 'jpeg', metadata: 'keep' })).width,
    48,
  )
})

test('rejects metadata that exceed a JPEG segment with both numbers, and keeps metadata that just fit', async () => {
  const withXmp = (bytes: number) => ({ ...imageFromPixels(halves), metadata: { xmp: Buffer.alloc(bytes, 'x') } })
  const header = 'http://ns.adobe.com/xap/1.0/\0'.length
  assert.equal(
    (await headerOf(withXmp(65_533 - header), { format: 'png', metadata: 'keep' })).xmp?.length,
    65_533 - header,
  )
  await assert.rejects(
    encode(withXmp(65_534 - header), { format: 'png', metadata: 'keep' }, context),
    (error) =>
      error instanceof Fault && error.details.reason === 'limit_exceeded' && /65534.*65533/.test(error.message),
  )
})

test('damaged metadata lead to an image or to a clear error', async () => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const damaged = (bytes: Buffer | undefined) => {
    const copy = Buffer.from(bytes ?? '')
    for (let times = 0; times < 4; times += 1) copy[random(copy.length)] = [0, 255, random(256)][random(3)] ?? 0
    return copy.subarray(0, random(4) === 0 ? random(copy.length) : copy.length)
  }
  const p3 = await sharp(halves.data, { raw: halves }).withIccProfile('p3').png().toBuffer()
  const { icc } = await sharp(p3).metadata()
  let made = 0
  for (let round = 0; round < 100; round += 1) {
    const { exif, xmp, iptc } = source.metadata ?? {}
    const metadata = { exif: damaged(exif), xmp: damaged(xmp), iptc: damaged(iptc), icc: damaged(icc) }
    const format = (['jpeg', 'png', 'webp', 'tiff'] as const)[round % 4] ?? 'png'
    try {
      const { width, height } = await headerOf(
        { ...imageFromPixels(halves), metadata },
        { format, metadata: 'keep', profile: 'keep' },
      )
      assert.deepEqual([width, height], [48, 24])
      made += 1
    } catch (error) {
      assert.ok(error instanceof Fault && /output\.metadata/.test(error.message), String(error))
    }
  }
  assert.ok(made > 90, `${made}`)
})

test('rejects XMP of a million unclosed thumbnails immediately by its size', { timeout: 30_000 }, async () => {
  const xmp = Buffer.alloc(16_000_000, '<xmp:Thumbnails>')
  const image = { ...imageFromPixels(halves), metadata: { xmp } }
  await assert.rejects(encode(image, { format: 'jpeg', metadata: 'keep' }, context), /XMP metadata of the source has/)
  const twice = Buffer.from('a<xmp:Thumbnails>1</xmp:Thumbnails>b<xmp:Thumbnails>2</xmp:Thumbnails>c<xmp:Thumbnails>')
  const { bytes } = await encode({ ...image, metadata: { xmp: twice } }, { format: 'jpeg', metadata: 'keep' }, context)
  assert.ok(bytes.includes('abc<xmp:Thumbnails>'))
})

const wide = paint(16, 16, (x, y) => [40 + x * 12, 200 - y * 10, 90 + x + y])

test('an image in Display P3 looks the same when it is read, and is stored with other numbers', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'avif', 'tiff'] as const) {
    const settings: EncodeSettings = {
      format,
      profile: 'p3',
      ...(format === 'tiff' || format === 'png' ? {} : { quality: 100 }),
    }
    const { bytes, icc } = await headerOf(imageFromPixels(wide), settings)
    assert.ok(icc, format)
    const back = await pixelsOf(await imageFromBytes(bytes, context), context)
    let worst = 0
    for (const [at, value] of back.data.entries()) worst = Math.max(worst, Math.abs(value - (wide.data[at] ?? 0)))
    assert.ok(worst <= (format === 'jpeg' || format === 'webp' ? 16 : 4), `${format}: ${worst}`)
    const stored = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
    assert.notDeepEqual([...stored.subarray(0, 30)], [...wide.data.subarray(0, 30)])
  }
})

test('embeds the profile of the source with its colours, and omits a profile that is not RGB', async () => {
  const { data, width, height, channels } = wide
  const raw = () => sharp(data, { raw: { width, height, channels } })
  const p3 = await raw().withIccProfile('p3').png().toBuffer()
  const header = await headerOf(await imageFromBytes(p3, context), { format: 'png', profile: 'keep' })
  assert.deepEqual(header.icc, (await sharp(p3).metadata()).icc)
  const [before, after] = await Promise.all(
    [p3, header.bytes].map((bytes) => sharp(bytes, { ignoreIcc: true }).raw().toBuffer()),
  )
  assert.ok(before && after)
  for (const [at, value] of after.entries()) assert.ok(Math.abs(value - (before[at] ?? 0)) <= 3, `${at}`)

  const cmyk = await raw().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk')
  const fromCmyk = await headerOf(await imageFromBytes(cmyk, context), {
    format: 'jpeg',
    profile: 'keep',
    metadata: 'keep',
  })
  assert.deepEqual([fromCmyk.icc, fromCmyk.space, fromCmyk.channels], [undefined, 'srgb', 3])

  const bad = { ...imageFromPixels(wide), metadata: { icc: Buffer.alloc(200, 'RGB ') } }
  assert.equal((await headerOf(bad, { format: 'png', profile: 'keep' })).icc, undefined)
})

test('metadata that unpacks to megabytes is not held: an output that keeps it fails, and others are made', async () => {
  const { data, width, height, channels } = halves
  const plain = await sharp(data, { raw: { width, height, channels } }).png().toBuffer()
  const headerEnd = 33
  const xmp = Buffer.alloc(15_000_000, ' ')
  const content = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(xmp)])
  const chunk = Buffer.alloc(8 + content.length)
  chunk.writeUInt32BE(content.length - 4)
  content.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(content), 4 + content.length)
  const png = Buffer.concat([plain.subarray(0, headerEnd), chunk, plain.subarray(headerEnd)])
  assert.ok(png.length < 100_000)
  const image = await imageFromBytes(png, context)
  assert.equal(image.metadata?.xmp?.buffer.byteLength, 1_048_576)
  await assert.rejects(
    encode(image, { format: 'jpeg', metadata: 'keep' }, context),
    (error: unknown) => error instanceof Fault && error.details.reason === 'limit_exceeded',
  )
  assert.ok((await encode(image, { format: 'jpeg' }, context)).bytes.length > 0)
})
