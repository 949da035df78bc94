/**
 * Hand-written code for each image: sharp for the photo, a canvas for everything on top, the same encoder settings as the
 * workflow with that name. No graph, no records, no limits.
 */
import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import sharp, { type Sharp } from 'sharp'
import { encode as qrCode } from 'uqr'

export type Parameters = Record<string, string>

/** The body of a request to bare-server.ts. */
export interface BareRequest {
  example: string
  /** The path of a JPEG. */
  photo: string
  parameters: Parameters
}

/** Returns encoded bytes. `photo` is the path of a JPEG. */
export const renderers: Record<string, (photo: string, parameters: Parameters) => Promise<Buffer>> = {
  'link-preview-card': linkPreviewCard,
  'poster-with-qr': posterWithQr,
  'product-square': productSquare,
  size,
  tiny,
  thumbnail,
}

async function linkPreviewCard(photo: string, { headline = '', site = '' }: Parameters): Promise<Buffer> {
  const canvas = createCanvas(1200, 630)
  const context = canvas.getContext('2d')
  shade(context, { x: 0, y: 0, width: 1200, height: 630 }, 'rgba(0, 0, 0, 0.0667)', 'rgba(0, 0, 0, 0.8667)')
  write(context, headline, {
    box: { x: 72, y: 240, width: 1056, height: 260 },
    size: 84,
    weight: 800,
    lineHeight: 1.08,
    letterSpacing: -0.02,
    bottom: true,
    color: '#fff',
  })
  write(context, site, { box: { x: 72, y: 526, width: 1056, height: 44 }, size: 30, weight: 500, color: '#fffc' })
  const cover = await sharp(photo, { autoOrient: true })
    .resize(1200, 630, { fit: 'cover', position: 'attention' })
    .raw()
    .toBuffer()
  return onTop(cover, canvas.data(), 1200, 630).webp({ quality: 82, effort: 2 }).toBuffer()
}

async function posterWithQr(photo: string, { title = '', line = '', link = '' }: Parameters): Promise<Buffer> {
  const [width, height] = [1080, 1350]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  shade(context, { x: 0, y: 670, width, height: 680 }, 'rgba(11, 15, 26, 0)', 'rgba(11, 15, 26, 0.9490)')
  write(context, title, {
    box: { x: 72, y: 780, width: 660, height: 390 },
    size: 104,
    weight: 800,
    lineHeight: 1.04,
    letterSpacing: -0.025,
    bottom: true,
    color: 'white',
  })
  const box = { x: 72, y: 1194, width: 660, height: 84 }
  write(context, line, { box, size: 34, weight: 400, bottom: true, color: '#fffd' })
  badge(context, link, { x: width - 72 - 248, y: height - 72 - 248, size: 248, margin: 3, radius: 24 })

  const [saturation, contrast] = [1.1, 1.05]
  const [r, g, b] = [0.2126, 0.7152, 0.0722].map((weight) => weight * (1 - saturation)) as [number, number, number]
  const offset = 127.5 * (1 - contrast)
  const toned = await sharp(photo, { autoOrient: true })
    .resize(width, height, { fit: 'cover', position: 'attention' })
    .recomb([
      [r + saturation, g, b],
      [r, g + saturation, b],
      [r, g, b + saturation],
    ])
    .linear([contrast, contrast, contrast], [offset, offset, offset])
    .raw()
    .toBuffer()
  return onTop(toned, canvas.data(), width, height).jpeg({ quality: 85 }).toBuffer()
}

async function productSquare(photo: string, { title = '', price = '' }: Parameters): Promise<Buffer> {
  const side = 1200
  const { data, info } = await sharp(photo, { autoOrient: true })
    .resize(1056, 820, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f4f1ec'
  context.fillRect(0, 0, side, side)
  const fitted = createCanvas(info.width, info.height)
  const pixels = fitted.getContext('2d').createImageData(info.width, info.height)
  pixels.data.set(data)
  fitted.getContext('2d').putImageData(pixels, 0, 0)
  const [x, y] = [72 + Math.floor((1056 - info.width) / 2), 96 + Math.floor((820 - info.height) / 2)]
  context.save()
  context.beginPath()
  context.roundRect(x, y, info.width, info.height, 36)
  context.clip()
  context.drawImage(fitted, x, y)
  context.restore()
  const style = { size: 52, middle: true }
  write(context, title, {
    ...style,
    box: { x: 72, y: 930, width: 720, height: 120 },
    weight: 600,
    letterSpacing: -0.01,
    color: '#1f1d1a',
  })
  write(context, price, {
    ...style,
    box: { x: 828, y: 930, width: 300, height: 120 },
    weight: 400,
    right: true,
    color: '#6b655c',
  })
  return sharp(canvas.data(), { raw: { width: side, height: side, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 86 })
    .toBuffer()
}

/** The minimum that a program with sharp does for a photo. */
async function thumbnail(photo: string): Promise<Buffer> {
  return sharp(photo, { autoOrient: true }).resize(1200, 630).sharpen().webp({ quality: 80, effort: 2 }).toBuffer()
}

/** The same for a URL of a smaller image. */
async function size(photo: string, { width }: Parameters): Promise<Buffer> {
  return sharp(photo, { autoOrient: true }).resize(Number(width)).webp({ quality: 80, effort: 2 }).toBuffer()
}

async function tiny(): Promise<Buffer> {
  return sharp(Buffer.alloc(8 * 8 * 3, 0x40), { raw: { width: 8, height: 8, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer()
}

/** `layer` has the pixels of a canvas, which are premultiplied. */
function onTop(base: Buffer, layer: Buffer, width: number, height: number): Sharp {
  return sharp(base, { raw: { width, height, channels: 3 } })
    .composite([{ input: layer, raw: { width, height, channels: 4 }, premultiplied: true }])
    .removeAlpha()
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function shade(context: SKRSContext2D, { x, y, width, height }: Box, from: string, to: string): void {
  const gradient = context.createLinearGradient(0, y, 0, y + height)
  gradient.addColorStop(0, from)
  gradient.addColorStop(1, to)
  context.fillStyle = gradient
  context.fillRect(x, y, width, height)
}

function badge(
  context: SKRSContext2D,
  link: string,
  { x, y, size, margin, radius }: { x: number; y: number; size: number; margin: number; radius: number },
): void {
  const modules = qrCode(link, { ecc: 'M', border: 0, boostEcc: false }).data
  const scale = Math.floor(size / (modules.length + 2 * margin))
  const start = Math.floor((size - modules.length * scale) / 2)
  context.fillStyle = '#fff'
  context.beginPath()
  context.roundRect(x, y, size, size, radius)
  context.fill()
  context.fillStyle = '#0b0f1a'
  modules.forEach((row, down) => {
    row.forEach((dark, across) => {
      if (dark) context.fillRect(x + start + across * scale, y + start + down * scale, scale, scale)
    })
  })
}

interface TextStyle {
  box: Box
  size: number
  weight: number
  color: string
  lineHeight?: number
  letterSpacing?: number
  bottom?: boolean
  middle?: boolean
  right?: boolean
}

/** Wraps at spaces, and reduces the font size until everything fits. */
function write(context: SKRSContext2D, text: string, style: TextStyle): void {
  const { box, weight, color, lineHeight = 1.2, letterSpacing = 0, bottom, middle, right } = style
  let { size } = style
  let lines: string[]
  for (; ; size -= 1) {
    context.font = `${size}px "Inter ${weight}"`
    context.letterSpacing = `${letterSpacing * size}px`
    lines = wrap(context, text, box.width)
    if (lines.length * size * lineHeight <= box.height || size <= 1) break
  }
  const height = lines.length * size * lineHeight
  const top = box.y + (box.height - height) * (bottom ? 1 : middle ? 0.5 : 0)
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('Hg')
  const baseline = top + (size * lineHeight - ascent - descent) / 2 + ascent
  context.fillStyle = color
  lines.forEach((line, index) => {
    const x = right ? box.x + box.width - context.measureText(line).width : box.x
    context.fillText(line, x, baseline + index * size * lineHeight)
  })
}

function wrap(context: SKRSContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

const require = createRequire(import.meta.url)
for (const weight of [400, 500, 600, 800]) {
  const file = require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)
  GlobalFonts.registerFromPath(file, `Inter ${weight}`)
}

sharp.concurrency(1)
sharp.cache(false)
