/** Renders SVG to pixels. */
import { fileURLToPath } from 'node:url'
import { type Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Pixels } from '../../types.ts'
import { type DrawingContext, type DrawingReport, type DrawingScale, draw, type Size } from './drawing.ts'

/** Always with alpha. The natural size is in CSS pixels: 96 per inch. */
export async function renderSvg(bytes: Buffer, scale: DrawingScale, context: DrawingContext): Promise<Pixels> {
  const { data, width, height } = await drawSvg(bytes, scale, true, context)
  return { data, width, height, channels: 4 }
}

/** The size of an SVG that was rendered completely once, without keeping the pixels. */
export async function measureSvg(bytes: Buffer, context: DrawingContext): Promise<Size> {
  const { width, height } = await drawSvg(bytes, 1, false, context)
  return { width, height }
}

const program = fileURLToPath(new URL('./svg-child.ts', import.meta.url))

async function drawSvg(bytes: Buffer, scale: DrawingScale, wantsPixels: boolean, context: DrawingContext) {
  // Loads the parser with the first SVG.
  const { checkSvg } = await import('./svg-check.ts')
  await checkSvg(bytes)
  return draw(
    {
      bytes,
      program,
      args: typeof scale === 'number' ? [scale, 0, 0] : [0, scale.width ?? 0, scale.height ?? 0],
      name: 'the SVG',
      advice: 'Simplify it, or draw it smaller.',
      channels: 4,
      wantsPixels,
      usualMemoryBytes: limits.svgUsualMemoryBytes,
      memoryBytesMax: limits.svgMemoryBytesMax,
      secondsMax: limits.svgSeconds,
      faultOf: (report, problem) => faultOf(report, problem, context.pixelsMax),
    },
    context,
  )
}

function faultOf({ message = '' }: DrawingReport & { message?: string }, problem: string, pixelsMax: number): Fault {
  const cause = message || problem
  if (/density/.test(message)) {
    return failure(
      'limit_exceeded',
      "The SVG can't be scaled to this size: it is too far from the size of the SVG. Set a larger `width` and `height` in the SVG, or draw it at another size.",
      { cause },
    )
  }
  if (/pixel limit/.test(message)) {
    return failure('limit_exceeded', `The SVG is too large; the maximum is ${pixelsMax} pixels.`, { cause })
  }
  return failure(
    'input_invalid',
    "The SVG can't be drawn: it is invalid, or has neither `width` and `height` nor a `viewBox`.",
    { cause },
  )
}
