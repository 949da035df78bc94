/** The images of fakes: real images with a text that a fake made them. */
import { createHash } from 'node:crypto'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'

export type ImageFormat = 'png' | 'jpeg' | 'webp'

/** The text on an image. */
export interface Label {
  provider: string
  model: string
  prompt?: string | undefined
  seed?: number | undefined
}

/** An image of one colour, which depends on the prompt and the seed. */
export function generated(
  label: Label,
  target: { width: number; height: number; format?: ImageFormat; isTransparent?: boolean },
): Promise<Buffer> {
  const seed = JSON.stringify([label, target])
  const cached = drawn.get(seed)
  if (cached) return cached
  const image = draw(label, target)
  drawn.set(seed, image)
  const [oldest] = drawn.keys()
  if (drawn.size > drawnMax && oldest !== undefined) drawn.delete(oldest)
  return image
}

/** Equal images are requested many times. */
const drawn = new Map<string, Promise<Buffer>>()
const drawnMax = 40

/** Draws a small image and enlarges it: for a megapixel this takes a tenth of the time. */
async function draw(
  label: Label,
  target: { width: number; height: number; format?: ImageFormat; isTransparent?: boolean },
): Promise<Buffer> {
  const { format = 'png', isTransparent = false } = target
  const shrink = Math.max(1, Math.floor(Math.min(target.width, target.height) / 256))
  const [width, height] = [Math.ceil(target.width / shrink), Math.ceil(target.height / shrink)]
  const [red = 0, green = 0, blue = 0] = createHash('sha256')
    .update(`${label.prompt} ${label.seed}`)
    .digest()
    .map((byte) => byte >> 1)
  const background = { r: red, g: green, b: blue, alpha: isTransparent ? 0 : 1 }
  const words = await wordsOf(label, width, Math.ceil(height / 3))
  const ground = sharp({ create: { width, height, channels: 4, background } })
  const small = await (words ? ground.composite([{ input: words, gravity: 'north' }]) : ground).raw().toBuffer()
  const enlarged = sharp(small, { raw: { width, height, channels: 4 } })
  return encoded(enlarged.resize(target.width, target.height, { fit: 'fill', kernel: 'nearest' }), format)
}

/** The first image under a tint, with the others small in its lower corners. */
export async function edited(
  label: Label,
  images: Buffer[],
  target: { width?: number; height?: number; format?: ImageFormat } = {},
): Promise<Buffer> {
  const [first = Buffer.alloc(0), ...others] = images
  const size = await sharp(first).metadata()
  const { width = size.width, height = size.height, format = 'png' } = target
  const side = Math.max(1, Math.floor(Math.min(width, height) / 8))
  const small = await Promise.all(
    others.slice(0, 4).map(async (other, at) => ({
      input: await sharp(other).resize(side, side, { fit: 'cover' }).png().toBuffer(),
      left: at * side,
      top: height - side,
    })),
  )
  const tint = { create: { width, height, channels: 4 as const, background: { r: 255, g: 140, b: 0, alpha: 0.35 } } }
  const layers = [{ input: tint, blend: 'atop' as const }, ...small]
  return written(sharp(first).resize(width, height, { fit: 'fill' }).ensureAlpha(), {
    width,
    height,
    label,
    format,
    layers,
  })
}

/** Violet inside of the mask, the image elsewhere. `mask`: grey, white where the image is replaced. */
export async function inpainted(
  label: Label,
  image: Buffer,
  mask: Buffer,
  format: ImageFormat = 'png',
): Promise<Buffer> {
  const { width, height } = await sharp(image).metadata()
  const alpha = await sharp(mask)
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer()
  const change = await sharp({ create: { width, height, channels: 3, background: '#9400d3' } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .raw()
    .toBuffer()
  // The text is inside of the replaced part: the rest stays unchanged.
  const box = boxOf(alpha, width, height)
  const words = box && (await wordsOf(label, box.width, box.height))
  const layers = [
    { input: change, raw: { width, height, channels: 4 as const } },
    ...(words && box ? [{ input: words, left: box.left, top: box.top }] : []),
  ]
  return encoded(sharp(image).ensureAlpha().composite(layers), format)
}

/** The image without whatever is outside of an ellipse. */
export async function cutOut(label: Label, image: Buffer, format: ImageFormat = 'png'): Promise<Buffer> {
  const { width, height } = await sharp(image).metadata()
  const words = await wordsOf(label, Math.ceil(width * 0.6), Math.ceil(height * 0.2))
  const drawn = sharp(image).flatten({ background: '#fff' }).toColourspace('srgb')
  const colours = await (words ? drawn.composite([{ input: words }]) : drawn).removeAlpha().raw().toBuffer()
  const cut = sharp(colours, { raw: { width, height, channels: 3 } }).joinChannel(ellipse(width, height), {
    raw: { width, height, channels: 1 },
  })
  return encoded(cut, format)
}

export async function enlarged(
  label: Label,
  image: Buffer,
  scale: number,
  format: ImageFormat = 'png',
): Promise<Buffer> {
  const { width, height } = await sharp(image).metadata()
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return written(sharp(image).resize(size.width, size.height, { fit: 'fill' }), { ...size, label, format })
}

/** The image with a transparent edge if the background must be transparent. */
export async function framed(image: Buffer, format: ImageFormat): Promise<Buffer> {
  const { width, height } = await sharp(image).metadata()
  const edge = Math.ceil(Math.min(width, height) / 50)
  const inner = { left: edge, top: edge, width: width - 2 * edge, height: height - 2 * edge }
  const around = { left: edge, right: edge, top: edge, bottom: edge, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  return encoded(sharp(image).ensureAlpha().extract(inner).extend(around), format)
}

/** The image in another size. */
export function resized(
  image: Buffer,
  target: { width: number; height: number; format: ImageFormat },
): Promise<Buffer> {
  return encoded(sharp(image).resize(target.width, target.height, { fit: 'fill' }), target.format)
}

/** A grey mask, white where the image is replaced, converted from the form of the provider. */
export function whiteMask(mask: Buffer, form: 'white' | 'black' | 'transparent'): Promise<Buffer> {
  if (form === 'transparent') return sharp(mask).ensureAlpha().extractChannel(3).negate().png(quick).toBuffer()
  const grey = sharp(mask).flatten({ background: '#000' }).toColourspace('b-w')
  return (form === 'black' ? grey.negate() : grey).png(quick).toBuffer()
}

/** How bright it is, from 0 to 255. */
export async function brightness(image: Buffer): Promise<number> {
  const { channels } = await sharp(image).flatten().greyscale().stats()
  return channels[0]?.mean ?? 0
}

const quick = { compressionLevel: 1 }

function encoded(image: Sharp, format: ImageFormat): Promise<Buffer> {
  if (format === 'jpeg') return image.flatten({ background: '#fff' }).jpeg({ quality: 90 }).toBuffer()
  return format === 'webp' ? image.webp({ effort: 0 }).toBuffer() : image.png({ compressionLevel: 3 }).toBuffer()
}

interface Writing {
  width: number
  height: number
  label: Label
  format: ImageFormat
  /** Layers below the words. */
  layers?: OverlayOptions[]
}

async function written(image: Sharp, { width, height, label, format, layers = [] }: Writing): Promise<Buffer> {
  const words = await wordsOf(label, width, Math.ceil(height / 3))
  const all = words ? [...layers, { input: words, gravity: 'north' }] : layers
  return encoded(all.length > 0 ? image.composite(all) : image, format)
}

/** White on black; omitted if there is too little room. */
async function wordsOf({ provider, model, prompt = '', seed }: Label, width: number, height: number) {
  if (width < 48 || height < 16) return undefined
  const lines = [`FAKE ${provider} ${model}`, prompt.slice(0, 80), seed === undefined ? '' : `seed ${seed}`]
  const text = lines.filter(Boolean).map(escaped).join('\n')
  const words = await sharp({
    text: {
      text: `<span foreground="white">${text}</span>`,
      rgba: true,
      width: Math.floor(width * 0.9),
      height: Math.floor(height * 0.9),
    },
  })
    .png(quick)
    .toBuffer()
  return sharp({ create: { width, height, channels: 4, background: '#000' } })
    .composite([{ input: words }])
    .png(quick)
    .toBuffer()
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** An ellipse as alpha: opaque inside. */
function ellipse(width: number, height: number): Buffer {
  const alpha = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) {
    const across = 1 - ((y + 0.5 - height / 2) / (height * 0.42)) ** 2
    if (across <= 0) continue
    const half = Math.sqrt(across) * width * 0.42
    alpha.fill(255, y * width + Math.ceil(width / 2 - half), y * width + Math.floor(width / 2 + half))
  }
  return alpha
}

/** Box around all that is not black. */
function boxOf(alpha: Buffer, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let at = 0; at < alpha.byteLength; at++) {
    if ((alpha[at] ?? 0) < 128) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: Math.min(bottom - top + 1, 64) }
}
