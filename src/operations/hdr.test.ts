/** Gain maps of HDR photos, through operations and the encoder. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../domain/validate.ts'
import type { EncodeSettings } from '../domain/workflows/output.ts'
import { imageFromBytes, pixelsOf } from '../imaging/raster/image.ts'
import { gainMapNamespace, gainMapOf, indexHeader } from '../imaging/raster/read/gain-map.ts'
import { jpegMarkers, jpegSegment, jpegSegmentsMax } from '../imaging/raster/read/jpeg-segments.ts'
import { xmpHeader } from '../imaging/raster/read/metadata.ts'
import { loadSharp, type Sharp } from '../imaging/raster/sharp.ts'
import { hdrPhoto, withUltraHdr } from '../imaging/raster/test-hdr.ts'
import { contextFor } from '../imaging/raster/test-images.ts'
import { encode } from '../imaging/raster/write/encode.ts'
import type { ImageValue } from '../imaging/types.ts'
import { catalogue } from './index.ts'

const context = contextFor()

type Step = [operation: string, params: Record<string, unknown>]

async function after(steps: Step[], source: Buffer): Promise<ImageValue> {
  let image = await imageFromBytes(source, context)
  for (const [id, given] of steps) {
    const operation = catalogue.get(id) ?? assert.fail(id)
    const params = structuredClone(given)
    assert.deepEqual(checker(operation.params)(params), [])
    image = (await operation.run({ image }, params, { ...context, mayStayPending: true })).image ?? assert.fail()
  }
  return image
}

async function jpegOf(image: ImageValue, settings: EncodeSettings = {}): Promise<Buffer> {
  return (await encode(image, { format: 'jpeg', chroma: '4:4:4', ...settings }, context)).bytes
}

/** The map is bright where the photo is red, at 25 places that are not at an edge. */
async function assertAligned(jpeg: Buffer, label = ''): Promise<void> {
  const { jpeg: bytes } = gainMapOf(jpeg) ?? assert.fail('no gain map')
  const photo = await pixelsOf(await imageFromBytes(jpeg, context), context)
  const map = await pixelsOf(await imageFromBytes(bytes, context), context)
  let seen = 0
  for (let place = 0; place < 25; place += 1) {
    const [u, v] = [((place % 5) + 0.5) / 5, (Math.floor(place / 5) + 0.5) / 5]
    const at = (image: typeof photo, channel: number) =>
      image.data[
        (Math.floor(v * image.height) * image.width + Math.floor(u * image.width)) * image.channels + channel
      ] ?? 0
    const blue = at(photo, 2)
    // Between two colors.
    if (blue > 20 && blue < 110) continue
    seen += 1
    assert.equal(at(map, 0) > 128, blue <= 20, `${label} at ${u}, ${v}: photo ${blue}, map ${at(map, 0)}`)
  }
  assert.ok(seen > 12)
}

const chains: [name: string, steps: Step[], width: number, height: number][] = [
  ['no step', [], 320, 240],
  ['resize by one side', [['resize', { width: 160 }]], 160, 120],
  ['resize to cover', [['resize', { width: 100, height: 100 }]], 100, 100],
  ['resize to cover from a corner', [['resize', { width: 60, height: 200, position: 'south-east' }]], 60, 200],
  ['resize to cover by attention', [['resize', { width: 80, height: 200, position: 'attention' }]], 80, 200],
  ['resize to fill', [['resize', { width: 50, height: 200, fit: 'fill' }]], 50, 200],
  ['resize larger', [['resize', { width: 640 }]], 640, 480],
  ['contain without padding', [['resize', { width: 160, height: 120, fit: 'contain' }]], 160, 120],
  ['crop', [['crop', { x: 100, y: 30, width: 150, height: 180 }]], 150, 180],
  ['smart-crop', [['smart-crop', { width: 120, height: 200 }]], 120, 200],
  ['smart-crop around a point', [['smart-crop', { width: 100, height: 200, focus: { x: 0.4, y: 0.5 } }]], 100, 200],
  ['flip', [['flip', { axis: 'horizontal' }]], 320, 240],
  ['flip vertically', [['flip', { axis: 'vertical' }]], 320, 240],
  ['rotate by 90', [['rotate', { angle: 90 }]], 240, 320],
  ['rotate by 180', [['rotate', { angle: 180 }]], 320, 240],
  ['rotate by -90', [['rotate', { angle: -90 }]], 240, 320],
  [
    'five steps',
    [
      ['rotate', { angle: 90 }],
      ['crop', { x: 20, y: 10, width: 200, height: 300 }],
      ['flip', { axis: 'both' }],
      ['resize', { width: 90, height: 120 }],
      ['rotate', { angle: 270 }],
    ],
    120,
    90,
  ],
]

for (const [name, steps, width, height] of chains) {
  test(`a gain map follows the photo: ${name}`, async () => {
    for (const photo of [await hdrPhoto(), await hdrPhoto({ isGrey: false })]) {
      const jpeg = await jpegOf(await after(steps, photo))
      const image = await imageFromBytes(jpeg, context)
      assert.deepEqual([image.width, image.height], [width, height])
      await assertAligned(jpeg)
    }
  })
}

test('a gain map is turned by each EXIF orientation, like the photo', async () => {
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const steps: Step[] = [['resize', { width: 150, height: 150 }]]
    await assertAligned(await jpegOf(await after(steps, await hdrPhoto({ orientation }))), `orientation ${orientation}`)
  }
})

test('libultrahdr reads the output, and writes files that are read', async () => {
  const jpeg = await jpegOf(await after([['resize', { width: 160 }]], await hdrPhoto()))
  await withUltraHdr(async (sharp) => {
    const { gainMap } = await sharp(jpeg).metadata()
    assert.ok(gainMap)
    const { data, info } = await withHdr(sharp(jpeg))
      .toColourspace('scrgb')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true })
    const light = new Float32Array(data.buffer, data.byteOffset, data.length / 4)
    const redAt = (x: number, y: number) => light[(y * info.width + x) * info.channels] ?? 0
    // Four times 1 in the red part, and 0.216 for #808080 elsewhere.
    assert.ok(Math.abs(redAt(20, 20) - 4) < 0.3, `${redAt(20, 20)}`)
    assert.ok(Math.abs(redAt(140, 100) - 0.216) < 0.02, `${redAt(140, 100)}`)
    const theirs = await withHdr(sharp(jpeg)).jpeg().toBuffer()
    const [ours, other] = [gainMapOf(jpeg), gainMapOf(theirs)]
    assert.ok(ours && other)
    assert.notDeepEqual(ours.jpeg, other.jpeg)
    const again = await jpegOf(await after([['resize', { width: 80 }]], theirs))
    assert.ok((await sharp(again).metadata()).gainMap)
  })
})

for (const [name, steps] of Object.entries({
  'changes colors': [['adjust', { brightness: 2 }]],
  'mixes pixels': [['blur', { sigma: 5 }]],
  'adds a border': [['resize', { width: 100, height: 200, fit: 'contain', background: 'white' }]],
  'rotates by an angle': [['rotate', { angle: 5, background: 'white' }]],
} satisfies Record<string, Step[]>)) {
  test(`an operation that ${name} drops the gain map`, async () => {
    assert.equal(gainMapOf(await jpegOf(await after(steps as Step[], await hdrPhoto()))), undefined)
  })
}

test('without a gain map in the output, the file is that of a photo without one', async () => {
  const hdr = await hdrPhoto()
  const { gainMap, ...plain } = await imageFromBytes(hdr, context)
  assert.ok(gainMap)
  const image = await imageFromBytes(hdr, context)
  assert.deepEqual(await jpegOf(image, { hdr: 'strip' }), await jpegOf(plain))
  for (const format of ['webp', 'png', 'avif', 'tiff'] as const) {
    const settings: EncodeSettings = { format, effort: 'low' }
    assert.deepEqual((await encode(image, settings, context)).bytes, (await encode(plain, settings, context)).bytes)
  }
})

test('a maximum file size includes the gain map', async () => {
  const image = await imageFromBytes(await hdrPhoto(), context)
  const maxBytes = (await jpegOf(image, { quality: 50 })).length
  const smaller = await jpegOf(image, { quality: 95, maxBytes })
  assert.ok(smaller.length <= maxBytes)
  assert.ok(gainMapOf(smaller))
})

test('kept metadata and the mark of AI images are next to the directory of the images', async () => {
  const image = await imageFromBytes(await hdrPhoto(), context)
  const jpeg = await jpegOf({ ...image, origin: 'generated' }, { metadata: 'keep' })
  assert.ok(gainMapOf(jpeg))
  const { metadata, origin } = await imageFromBytes(jpeg, context)
  assert.equal(origin, 'generated')
  const xmp = metadata?.xmp?.toString() ?? ''
  assert.equal(xmp.split('<Container:Directory').length, 2)
  assert.equal(xmp.split('hdrgm:Version=').length, 2)
  const sharp = await loadSharp()
  assert.equal((await sharp(jpeg).metadata()).format, 'jpeg')
})

test('a damaged gain map is dropped, and the photo stays', async () => {
  const hdr = await hdrPhoto()
  const { jpeg } = gainMapOf(hdr) ?? assert.fail()
  const start = hdr.length - jpeg.length
  const damaged: [string, Buffer][] = [
    ['its end is missing', hdr.subarray(0, -50)],
    ['its scan is empty', Buffer.concat([hdr.subarray(0, -400), Buffer.alloc(400)])],
    ['it claims 65,000 pixels a side', resized(hdr, start)],
  ]
  for (const [label, bytes] of damaged) {
    const encoded = await jpegOf(await imageFromBytes(bytes, context))
    assert.equal(gainMapOf(encoded), undefined, label)
  }
})

test('any damage to the index of the images gives a photo, with or without a gain map', async () => {
  const hdr = await hdrPhoto()
  const index = hdr.indexOf('MPF\0')
  for (let at = 0; at < 86; at += 1) {
    for (const value of [0, 0xff, 0x80]) {
      const bytes = Buffer.from(hdr)
      bytes[index + at] = value
      const { width, height, gainMap } = await imageFromBytes(bytes, context)
      assert.deepEqual([width, height], [320, 240])
      if (gainMap) assert.ok(gainMap.jpeg.length <= bytes.length)
    }
  }
})

test('the index of a hostile photo is searched once, and its segments up to a limit', async () => {
  const hdr = await hdrPhoto()
  const map = gainMapOf(hdr)?.jpeg ?? assert.fail()
  const other = Buffer.from([0xff, 0xd8, 0xff, 0xd9])
  assert.ok(gainMapOf(withLists(hdr, [[map]])))
  assert.ok(gainMapOf(withLists(hdr, [[other, map]])))
  // Each entry of the index may be a list, and each image of a list may have millions of segments.
  assert.equal(gainMapOf(withLists(hdr, [[other], [map]])), undefined)
  const empty = Buffer.from([0xff, jpegMarkers.app0, 0, 2])
  const behind = (count: number) =>
    Buffer.concat([map.subarray(0, 2), ...Array<Buffer>(count).fill(empty), map.subarray(2)])
  assert.ok(gainMapOf(withLists(hdr, [[behind(1_000)]])))
  assert.equal(gainMapOf(withLists(hdr, [[behind(jpegSegmentsMax)]])), undefined)
  const filled = Buffer.concat([map.subarray(0, 2), Buffer.alloc(jpegSegmentsMax, 0xff), map.subarray(2)])
  assert.equal(gainMapOf(withLists(hdr, [[filled]])), undefined)
  // Each packet of XMP is searched.
  const packet = jpegSegment(jpegMarkers.app1, xmpHeader, Buffer.from('<x:xmpmeta/>'))
  assert.equal(gainMapOf(withLists(hdr, [[Buffer.concat([map.subarray(0, 2), packet, map.subarray(2)])]])), undefined)
})

/** The photo with another index, which has several lists of images. */
function withLists(hdr: Buffer, lists: Buffer[][]): Buffer {
  const listsAt = 10 + 12 * lists.length
  const data = Buffer.alloc(listsAt + 16 * lists.reduce((sum, images) => sum + images.length + 1, 0))
  data.write('MM\0*\0\0\0\x08', 'latin1')
  data.writeUInt16BE(lists.length, 8)
  const header = jpegSegment(jpegMarkers.app1, xmpHeader, Buffer.from(gainMapNamespace))
  const start = 2 + header.length + 4 + indexHeader.length
  const photo = hdr.subarray(hdr.indexOf(Buffer.from([0xff, 0xdb])), hdr.lastIndexOf(Buffer.from([0xff, 0xd8])))
  let imageAt = data.length + photo.length
  let listAt = listsAt
  for (const [index, images] of lists.entries()) {
    const entry = 10 + 12 * index
    data.writeUInt16BE(0xb002, entry)
    data.writeUInt32BE(16 * (images.length + 1), entry + 4)
    data.writeUInt32BE(listAt, entry + 8)
    for (const { length } of images) {
      listAt += 16
      data.writeUInt32BE(length, listAt + 4)
      data.writeUInt32BE(imageAt, listAt + 8)
      imageAt += length
    }
    listAt += 16
  }
  const index = jpegSegment(jpegMarkers.app2, indexHeader, data)
  assert.equal(start, 2 + header.length + index.length - data.length)
  return Buffer.concat([hdr.subarray(0, 2), header, index, photo, ...lists.flat()])
}

/** The types of sharp 0.35.5 lack the method. */
function withHdr(image: Sharp): Sharp {
  return (image as Sharp & { withGainMap(): Sharp }).withGainMap()
}

/** A file with another size in the header of the frame of the image at `start`. */
function resized(file: Buffer, start: number): Buffer {
  const bytes = Buffer.from(file)
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]), start)
  assert.ok(frame > start)
  bytes.writeUInt16BE(65_000, frame + 5)
  bytes.writeUInt16BE(65_000, frame + 7)
  return bytes
}
