/**
 * Renders simple shapes to pixels in bands, so that a large shape neither needs its memory twice nor blocks others.
 */

import type { SKRSContext2D } from '@napi-rs/canvas'
import { createPauses } from '../../domain/pauses.ts'
import { solidColor } from '../raster/draw/fill.ts'
import { abortFault, type JobContext } from '../raster/jobs.ts'
import { compositeOver } from '../raster/layer/over.ts'
import type { Pixels } from '../types.ts'
import { loadCanvas } from './canvas.ts'

export const shapes = ['rectangle', 'ellipse', 'polygon', 'star', 'line'] as const
export const lines = ['horizontal', 'vertical', 'falling', 'rising'] as const

export interface ShapeStyle {
  shape: (typeof shapes)[number]
  width: number
  height: number
  /** A CSS colour. */
  fill: string
  stroke: string
  /** Pixels; the entire stroke lies inside the image. */
  strokeWidth: number
  /** Corner radius of a rectangle, in pixels, along the outer edge. */
  radius: number
  /** Corners of a polygon, tips of a star. */
  points: number
  /** Distance of a star's inner corners, as a share of the distance of its tips. */
  innerRadius: number
  line: (typeof lines)[number]
  lineCap: 'butt' | 'round'
}

/** Draws a shape on a transparent background. */
export async function drawShape(style: ShapeStyle, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { createCanvas } = await loadCanvas()
  const { width, height } = style
  const image = await solidColor(width, height, { r: 0, g: 0, b: 0, alpha: 0 }, context)
  const rows = Math.max(1, Math.floor(pixelsAtOnce / width))
  const pauseIfDue = createPauses()
  for (let y = 0; y < height; y += rows) {
    await pauseIfDue()
    if (context.signal.aborted) throw abortFault(context.signal)
    const band = { x: 0, y, width, height: Math.min(rows, height - y) }
    const canvas = createCanvas(width, band.height)
    const pen = canvas.getContext('2d')
    pen.translate(0, -y)
    draw(pen, style)
    const layer = { data: canvas.data(), width, height: band.height, channels: 4 as const, premultiplied: true }
    await compositeOver(image, layer, { x: 0, y, opacity: 1 }, band)
  }
  return image
}

const pixelsAtOnce = 1_000_000

function draw(pen: SKRSContext2D, style: ShapeStyle): void {
  const { shape, strokeWidth, fill, stroke } = style
  pen.beginPath()
  trace[shape](pen, style)
  if (shape !== 'line') {
    pen.fillStyle = fill
    pen.fill()
  }
  if (strokeWidth === 0) return
  pen.lineWidth = strokeWidth
  pen.lineCap = style.lineCap
  // A mitre at a sharp tip would extend beyond the image.
  pen.lineJoin = shape === 'rectangle' && style.radius === 0 ? 'miter' : 'round'
  pen.strokeStyle = stroke
  pen.stroke()
}

type Trace = (pen: SKRSContext2D, style: ShapeStyle) => void

/** A stroke lies on both sides of its path, so each path is half a stroke away from the edges. */
const trace: Record<ShapeStyle['shape'], Trace> = {
  rectangle(pen, { width, height, strokeWidth, radius }) {
    const half = strokeWidth / 2
    // CSS Backgrounds 3, 5.5: radii are reduced to half of the shorter side.
    const outer = Math.min(radius, width / 2, height / 2)
    pen.roundRect(half, half, width - strokeWidth, height - strokeWidth, Math.max(0, outer - half))
  },
  ellipse(pen, { width, height, strokeWidth }) {
    pen.ellipse(width / 2, height / 2, (width - strokeWidth) / 2, (height - strokeWidth) / 2, 0, 0, 2 * Math.PI)
  },
  polygon(pen, { points, ...style }) {
    trackThrough(
      pen,
      Array.from({ length: points }, (_, corner) => onCircle(corner / points, 1)),
      style,
    )
  },
  star(pen, { points, innerRadius, ...style }) {
    trackThrough(
      pen,
      Array.from({ length: points * 2 }, (_, corner) =>
        onCircle(corner / (points * 2), corner % 2 === 0 ? 1 : innerRadius),
      ),
      style,
    )
  },
  line(pen, { width, height, strokeWidth, line, lineCap }) {
    const half = strokeWidth / 2
    const end = lineCap === 'round' ? half : 0
    const [left, right, top, bottom] = [half, width - half, half, height - half]
    const ends = {
      horizontal: [end, height / 2, width - end, height / 2],
      vertical: [width / 2, end, width / 2, height - end],
      falling: [left, top, right, bottom],
      rising: [left, bottom, right, top],
    } as const
    const [x1, y1, x2, y2] = ends[line]
    pen.moveTo(x1, y1)
    pen.lineTo(x2, y2)
  },
}

interface Point {
  x: number
  y: number
}

/** Clockwise from the top: 0 to 1. */
function onCircle(turns: number, radius: number): Point {
  const angle = turns * 2 * Math.PI
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) }
}

/** Stretched so that the shape touches all four sides. */
function trackThrough(
  pen: SKRSContext2D,
  points: Point[],
  { width, height, strokeWidth }: Pick<ShapeStyle, 'width' | 'height' | 'strokeWidth'>,
): void {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const across = (width - strokeWidth) / (Math.max(...xs) - left)
  const down = (height - strokeWidth) / (Math.max(...ys) - top)
  for (const { x, y } of points) pen.lineTo(strokeWidth / 2 + (x - left) * across, strokeWidth / 2 + (y - top) * down)
  pen.closePath()
}
