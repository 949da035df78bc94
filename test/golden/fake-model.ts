/** Replaces an AI model with a visible result, so that golden images show how an operation uses it. */

import assert from 'node:assert/strict'
import sharp, { type Sharp } from 'sharp'
import { writtenText } from '../../fakes/src/texts.ts'
import type { ModelInvocation, ModelRequest, ModelResponse, RequestImage } from '../../src/domain/models/model.ts'
import { imageFromBytes, pixelsOf } from '../../src/imaging/raster/image.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import { localRows } from '../../src/local-models/local-rows.ts'
import { text } from '../../src/operations/text/text.ts'

/** Local models are run as they are. */
export async function fakeModel(invocation: ModelInvocation): Promise<ModelResponse> {
  const { capability, model = localRows().find(({ can }) => can[capability])?.name ?? `stand-in/${capability}` } =
    invocation
  if (invocation.local && (!model.includes('/') || model.startsWith('local/'))) {
    await invocation.local(model)
    return { model, images: [] }
  }
  const request = { ...(await invocation.request()), capability }
  const response = { model, ...(await (request.schema ? structured(request) : responses[capability](request))) }
  await invocation.accept?.(response)
  return response
}

type Output = Omit<ModelResponse, 'model'>

const responses: Record<ModelRequest['capability'], (request: ModelRequest) => Promise<Output>> = {
  generate: async (request) => paintedBy(request, ground(sizeOf(request))),
  edit: async (request) => paintedBy(request, await together(request)),
  inpaint: async (request) => paintedBy(request, ground(firstOf(request))),
  'remove-background': async (request) => cutBy(firstOf(request)),
  upscale: async (request) => {
    const { width, height } = firstOf(request)
    const scale = request.scale ?? assert.fail('no scale is given')
    const image = await decodedImage(firstOf(request))
    return paintedBy(request, image.resize(width * scale, height * scale, { kernel: 'nearest' }))
  },
  describe: async (request) => textOnly(`Stand-in for describe: ${describeImage(firstOf(request))}.`),
  write: async () => textOnly('Stand-in for write.'),
  judge: async ({ images }) =>
    textOnly(
      `\`\`\`json\n{"index": ${images.length}, "reason": "Stand-in for judge: ${images.map(describeImage).join('; ')}."}\n\`\`\``,
    ),
}

/** JSON that matches the schema. */
async function structured({ capability, schema }: ModelRequest): Promise<Output> {
  return textOnly(await writtenText({ provider: 'stand-in', model: capability, prompt: '', images: [], schema }))
}

const textOnly = (words: string): Output => ({ images: [], text: words })
const describeImage = ({ width, height, mediaType }: RequestImage) => `${width} x ${height}, ${mediaType}`

function firstOf({ images: [first] }: ModelRequest): RequestImage {
  return first ?? assert.fail('no image was passed')
}

function sizeOf({ size, aspectRatio = '1:1' }: ModelRequest): { width: number; height: number } {
  const [wide = 1, high = 1] = aspectRatio.split(':').map(Number)
  return size ?? { width: 384, height: Math.round((384 * high) / wide) }
}

/** The bytes for a program without support for EXIF and profiles. */
async function decodedImage({ bytes, width, height }: RequestImage): Promise<Sharp> {
  const image = sharp(bytes, { autoOrient: false, ignoreIcc: true })
  const found = await image.metadata()
  assert.deepEqual([found.width, found.height, found.depth], [width, height, 'uchar'])
  return image
}

/** The first image in other colours, with the others small in its upper left corner. */
async function together(request: ModelRequest): Promise<Sharp> {
  const first = firstOf(request)
  const side = Math.ceil(Math.min(first.width, first.height) / 4)
  const small = request.images.slice(1).map(async (image, at) => {
    const input = await (await decodedImage(image)).resize(side, side, { fit: 'inside' }).png().toBuffer()
    return { input, left: at * side, top: 0 }
  })
  return (await decodedImage(first)).modulate({ hue: 150 }).composite(await Promise.all(small))
}

function ground({ width, height }: { width: number; height: number }): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      data[at] = 40 + (180 * x) / width
      data[at + 1] = 60 + (90 * y) / height
      data[at + 2] = 200 - (120 * x) / width
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

const context = {
  signal: new AbortController().signal,
  secondsLeft: () => 60,
  processes: testProcesses,
  pixelsMax: 10_000_000,
  open: () => Promise.reject(new Error('there is nothing to open')),
}

/** A painting with a text across the middle that names it. */
async function paintedBy({ capability, seed }: ModelRequest, image: Sharp): Promise<Output> {
  const below = await imageFromBytes(await image.png().toBuffer(), context)
  const params = {
    text: `stand-in for ${capability}`,
    markup: false,
    font: 'Inter',
    size: Math.max(9, Math.round(below.width / 14)),
    fit: 'shrink',
    weight: 700,
    transform: 'none',
    color: 'white',
    align: 'center',
    verticalAlign: 'middle',
    direction: 'auto',
    language: 'auto',
    lineHeight: 1.2,
    letterSpacing: 0,
    outlineWidth: 2,
    outlineColor: 'black',
  }
  const { image: written } = await text.run({ image: below }, params, context)
  assert.ok(written)
  const { data, width, height, channels } = await pixelsOf(written, context)
  const bytes = await sharp(data, { raw: { width, height, channels } }).png().toBuffer()
  return { images: [bytes], ...(seed !== undefined && { seed }) }
}

/** An ellipse with a soft rim, at half the size: the result is cut from the image itself. */
async function cutBy(image: RequestImage): Promise<Output> {
  const [width, height] = [Math.ceil(image.width / 2), Math.ceil(image.height / 2)]
  const small = await (await decodedImage(image)).resize(width, height, { fit: 'fill' }).flatten().raw().toBuffer()
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x
      small.copy(data, at * 4, at * 3, at * 3 + 3)
      const away = Math.hypot((x + 0.5 - width / 2) / (width * 0.4), (y + 0.5 - height / 2) / (height * 0.4))
      data[at * 4 + 3] = Math.max(0, Math.min(255, (1 - away) * 900))
    }
  }
  return {
    images: [
      await sharp(data, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
    ],
  }
}
