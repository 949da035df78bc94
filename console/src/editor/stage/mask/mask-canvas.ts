/**
 * The pixels of a mask. The alpha of the canvas is the brightness of the mask, so the canvas itself is the overlay on the picture, and
 * erasing and inverting are modes of the canvas.
 */
import type { Size } from '../../document/geometry.ts'
import type { MaskEdit, Stroke } from './edits.ts'

export interface MaskCanvas {
  /** Draws these edits on the mask of the start, and a stroke that is still in progress. */
  show(done: readonly MaskEdit[], stroke?: Stroke): void
  /** The share of the image that is white, from 0 to 1. */
  coverage(): number
  /** The mask of the finished edits: a grey PNG without transparency, white where it is painted. */
  toPng(): Promise<Blob>
}

/** `start`: the mask to continue, in any size. Default: a black one. */
export function createMaskCanvas(shown: HTMLCanvasElement, start: HTMLImageElement | undefined): MaskCanvas {
  const { width, height } = shown
  const size = { width, height }
  const color = getComputedStyle(shown).color
  const view = contextOf(shown)
  const mask = contextOf(newCanvas(size))
  const first = start === undefined ? undefined : fromMask(start, size, color)
  let drawn: readonly MaskEdit[] = []
  reset()

  function reset(): void {
    drawn = []
    mask.clearRect(0, 0, width, height)
    if (first !== undefined) mask.drawImage(first, 0, 0)
  }

  return {
    show(done, stroke) {
      if (!drawn.every((edit, index) => edit === done[index])) reset()
      for (const edit of done.slice(drawn.length)) draw(mask, edit, color)
      drawn = done
      view.clearRect(0, 0, width, height)
      view.drawImage(mask.canvas, 0, 0)
      if (stroke !== undefined) draw(view, stroke, color)
    },
    coverage() {
      const side = 64
      const small = contextOf(newCanvas({ width: side, height: side }))
      small.drawImage(mask.canvas, 0, 0, side, side)
      const { data } = small.getImageData(0, 0, side, side)
      let sum = 0
      for (let at = 3; at < data.length; at += 4) sum += data[at] ?? 0
      return sum / (side * side * 255)
    },
    toPng() {
      const canvas = newCanvas(size)
      const context = contextOf(canvas)
      context.drawImage(mask.canvas, 0, 0)
      fill(context, 'source-in', 'white')
      fill(context, 'destination-over', 'black')
      return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => {
          if (blob === null) reject(new Error(`The browser can’t make a mask of ${width} × ${height} pixels.`))
          else resolve(blob)
        }, 'image/png')
      })
    },
  }
}

function draw(context: CanvasRenderingContext2D, edit: MaskEdit, color: string): void {
  if (edit.kind === 'clear') context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  else if (edit.kind === 'invert') fill(context, 'source-out', color)
  else drawStroke(context, edit, color)
}

/** A soft stroke is its blurred shadow: the stroke itself is left of the canvas. Safari has no filters on a canvas. */
function drawStroke(context: CanvasRenderingContext2D, stroke: Stroke, color: string): void {
  const { isErasing, size, feather, points } = stroke
  const [first] = points
  if (first === undefined) return
  const away = feather === 0 ? 0 : 4 * (context.canvas.width + size + feather)
  context.save()
  context.globalCompositeOperation = isErasing ? 'destination-out' : 'source-over'
  context.strokeStyle = color
  context.lineWidth = size
  context.lineCap = 'round'
  context.lineJoin = 'round'
  if (feather > 0) {
    context.shadowColor = color
    context.shadowBlur = feather
    context.shadowOffsetX = away
  }
  context.beginPath()
  context.moveTo(first[0] - away, first[1])
  // A line without a length would have no caps.
  if (points.length === 1) context.lineTo(first[0] - away + 0.01, first[1])
  for (const [x, y] of points.slice(1)) context.lineTo(x - away, y)
  context.stroke()
  context.restore()
}

function fill(context: CanvasRenderingContext2D, mode: GlobalCompositeOperation, color: string): void {
  context.save()
  context.globalCompositeOperation = mode
  context.fillStyle = color
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  context.restore()
}

/** The brightness of an image as alpha, multiplied by the alpha of the image, as operations read masks. */
function fromMask(image: HTMLImageElement, size: Size, color: string): HTMLCanvasElement {
  const canvas = newCanvas(size)
  const context = contextOf(canvas)
  context.drawImage(image, 0, 0, size.width, size.height)
  const pixels = context.getImageData(0, 0, size.width, size.height)
  const { data } = pixels
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    data[at + 3] = Math.round(((0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha) / 255)
  }
  context.putImageData(pixels, 0, 0)
  fill(context, 'source-in', color)
  return canvas
}

function newCanvas({ width, height }: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser has no memory for a canvas.')
  return context
}
