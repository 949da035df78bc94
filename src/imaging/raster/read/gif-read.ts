/**
 * Parses the frames of a GIF (GIF89a) whose canvas shows through: libvips returns it without alpha unless a frame has a transparent
 * colour, and fills the place of a frame that is removed with the background colour. Browsers show both as transparent.
 */
import type { ComposedFrames, Patch } from './patches.ts'

interface GifFrame extends Patch {
  isTransparent: boolean
  /** The range of the file with its image descriptor and its data. */
  start: number
  end: number
  /** The content of its graphic control extension, without removal: how to draw its pixels. */
  control: Buffer
}

/** Undefined for a GIF that libvips reads as browsers do. */
export function readOpenGif(gif: Buffer): ComposedFrames | undefined {
  const [width, height] = [gif.readUInt16LE(6), gif.readUInt16LE(8)]
  const frames = framesOf(gif)
  const [first] = frames
  if (first === undefined || frames.some((frame) => !isInside(frame, width, height))) return undefined
  const covers = first.width === width && first.height === height
  const isOpen = !covers && frames.every(({ isTransparent }) => !isTransparent)
  const isRemoved = ({ dispose, isTransparent }: GifFrame) => dispose === 'background' && !isTransparent
  if (!isOpen && !frames.slice(0, -1).some(isRemoved)) return undefined
  const stills = new Map<Patch, GifFrame>(frames.map((frame) => [frame, frame]))
  return {
    width,
    height,
    frames,
    isOpaque: false,
    isStartHidden: true,
    stillOf: (patch) => stillOf(gif, stills.get(patch) as GifFrame),
  }
}

/** Whether the file has its end; false if it ends inside a block. The trailer is often missing. */
export function endsGif(gif: Buffer): boolean {
  let end = false
  for (const block of blocksOf(gif)) end = block.kind === trailer || block.end === gif.length
  return end
}

interface Block {
  kind: number
  start: number
  end: number
}

const [image, extension, trailer] = [0x2c, 0x21, 0x3b]
const graphicControl = 0xf9

/** Extensions and images, each a sequence of sub-blocks, until one is unknown or incomplete. */
function* blocksOf(gif: Buffer): Generator<Block> {
  let at = headerBytes(gif)
  while (at < gif.length) {
    const start = at
    const kind = gif[at] as number
    if (kind === trailer) yield { kind, start, end: start + 1 }
    if (kind === image) at += 11 + colorTableBytes(gif[at + 9])
    else if (kind === extension) at += 2
    else return
    let length: number | undefined
    do {
      length = gif[at]
      if (length === undefined) return
      at += 1 + length
    } while (length > 0)
    yield { kind, start, end: at }
  }
}

function headerBytes(gif: Buffer): number {
  return 13 + colorTableBytes(gif[10])
}

function colorTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function framesOf(gif: Buffer): GifFrame[] {
  const frames: GifFrame[] = []
  let control: Buffer = noControl
  for (const { kind, start, end } of blocksOf(gif)) {
    if (kind === extension && gif[start + 1] === graphicControl && gif[start + 2] === noControl.length) {
      control = gif.subarray(start + 3, start + 3 + noControl.length)
    }
    if (kind !== image) continue
    const [x, y, width, height] = [1, 3, 5, 7].map((at) => gif.readUInt16LE(start + at)) as [
      number,
      number,
      number,
      number,
    ]
    const [flags = 0, , , color = 0] = control
    const isTransparent = (flags & 1) === 1
    frames.push({
      ...{ x, y, width, height, start, end, isTransparent },
      dispose: disposals[(flags >> 2) & 7] ?? 'none',
      blend: 'over',
      control: Buffer.from([isTransparent ? 1 : 0, 0, 0, color]),
    })
    control = noControl
  }
  return frames
}

const noControl = Buffer.alloc(4)
/** 4 is what some programs write in place of 3. */
const disposals: (Patch['dispose'] | undefined)[] = ['none', 'none', 'background', 'previous', 'previous']

function isInside({ x, y, width, height }: GifFrame, canvasWidth: number, canvasHeight: number): boolean {
  return width > 0 && height > 0 && x + width <= canvasWidth && y + height <= canvasHeight
}

/** The frame as a GIF in the size of its rectangle. */
function stillOf(gif: Buffer, { start, end, control, width, height }: GifFrame): Buffer {
  const head = Buffer.from(gif.subarray(0, headerBytes(gif)))
  const picture = Buffer.from(gif.subarray(start, end))
  head.write('GIF89a', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  picture.writeUInt32LE(0, 1)
  const controls = Buffer.concat([Buffer.from([extension, graphicControl, control.length]), control, Buffer.from([0])])
  return Buffer.concat([head, controls, picture, Buffer.from([trailer])])
}
