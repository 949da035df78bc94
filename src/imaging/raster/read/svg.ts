/** Renders SVG to pixels. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { createProcessPool } from '../../../processes/process-pool.ts'
import type { Pixels } from '../../types.ts'
import {
  type DrawingContext,
  type DrawingJob,
  type DrawingScale,
  type Drawn,
  drawingPool,
  type Size,
} from './drawing.ts'

const pool = createProcessPool<DrawingJob, Drawn, DrawingContext>(
  drawingPool(new URL('./svg-child.ts', import.meta.url), {
    name: () => 'the SVG',
    advice: 'Simplify it, or draw it smaller.',
    seconds: () => limits.svgSeconds,
    usualMemoryBytes: limits.svgUsualMemoryBytes,
    memoryBytesMax: limits.svgMemoryBytesMax,
    broken: (cause) =>
      failure('input_invalid', "The SVG can't be drawn: the renderer ended twice. Simplify it.", { cause }),
  }),
)

/** Always with alpha. The natural size is in CSS pixels: 96 per inch. */
export async function renderSvg(bytes: Buffer, scale: DrawingScale, context: DrawingContext): Promise<Pixels> {
  const { width, height, data, missing = [] } = await draw(bytes, scale, true, context)
  if (data === undefined) throw new Error('drawn without pixels')
  if (missing.length > 0) context.warn?.(missingWarning(missing))
  return { data, width, height, channels: 4 }
}

function missingWarning(missing: readonly string[]): string {
  const rest = missing.length - namesMax
  const names = `${missing.slice(0, namesMax).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return `The SVG uses features that are not drawn as in browsers: ${names}. Replace them, or export the drawing as PNG.`
}

const namesMax = 8

/** The size of an SVG that was rendered completely once, without keeping the pixels. */
export async function measureSvg(bytes: Buffer, context: DrawingContext): Promise<Size> {
  const { width, height } = await draw(bytes, 1, false, context)
  return { width, height }
}

async function draw(bytes: Buffer, scale: DrawingScale, wantsPixels: boolean, context: DrawingContext): Promise<Drawn> {
  if (bytes.length > limits.svgBytesMax) throw tooManyBytes(bytes.length)
  return pool.run({ bytes, scale, wantsPixels, pixelsMax: context.pixelsMax }, context)
}

export function tooManyBytes(size: number) {
  return failure('limit_exceeded', `The SVG has ${size} bytes; the maximum is ${limits.svgBytesMax}.`)
}
