/**
 * Renders SVG to pixels in a process that can be killed: librsvg can take minutes and gigabytes, and cannot be
 * interrupted from inside.
 */
import { fileURLToPath } from 'node:url'
import { Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { Pixels } from '../../types.ts'
import { runChild } from '../child.ts'
import { type JobContext, runJob } from '../jobs.ts'
import { checkSize } from '../size.ts'

type SvgContext = JobContext & { pixelsMax: number }

interface Size {
  width: number
  height: number
}

/**
 * A factor of its natural size (CSS pixels: 96 per inch), or the size to fit into, of which one side may be omitted.
 */
export type SvgScale = number | Partial<Size>

/** Always with alpha. */
export async function renderSvg(bytes: Buffer, scale: SvgScale, context: SvgContext): Promise<Pixels> {
  await check(bytes)
  const output = await drawInMemory(bytes, { scale, wanted: 1 }, context)
  return { data: output.subarray(headBytes), ...sizeIn(output), channels: 4 }
}

/** The size of an SVG that was rendered completely once, without keeping the pixels. */
export async function measureSvg(bytes: Buffer, context: SvgContext): Promise<Size> {
  await check(bytes)
  return sizeIn(await drawInMemory(bytes, { scale: 1, wanted: 0 }, context))
}

interface Drawing {
  scale: SvgScale
  /** Whether the pixels are wanted, or only the size. */
  wanted: 0 | 1
}

/** The memory of an SVG cannot be predicted: it is first rendered with enough for most, then with the maximum. */
async function drawInMemory(bytes: Buffer, drawing: Drawing, context: SvgContext): Promise<Buffer> {
  const { svgUsualMemoryBytes, svgMemoryBytesMax } = limits
  const first = await runJob(
    context,
    () => draw(bytes, drawing, svgUsualMemoryBytes, context),
    svgUsualMemoryBytes,
  ).catch((error) => {
    if (error instanceof TooLarge) return undefined
    throw error
  })
  return (
    first ??
    runJob(context, () => draw(bytes, drawing, svgMemoryBytesMax, context), svgMemoryBytesMax).catch((error) => {
      throw error instanceof TooLarge
        ? failure('limit_exceeded', 'Drawing the SVG exceeded the memory limit. Simplify it, or draw it smaller.')
        : error
    })
  )
}

class TooLarge extends Error {}

/** Loads the parser with the first SVG. */
async function check(bytes: Buffer): Promise<void> {
  const { checkSvg } = await import('./svg-check.ts')
  checkSvg(bytes)
}

const program = fileURLToPath(new URL('./svg-child.ts', import.meta.url))
const headBytes = 8

function sizeIn(output: Buffer): Size {
  return { width: output.readUInt32LE(0), height: output.readUInt32LE(4) }
}

async function draw(bytes: Buffer, { scale, wanted }: Drawing, memoryBytesMax: number, context: SvgContext) {
  const seconds = Math.min(limits.svgSeconds, context.secondsLeft())
  const how = typeof scale === 'number' ? [scale, 0, 0] : [0, scale.width ?? 0, scale.height ?? 0]
  const outputBytesMax = headBytes + context.pixelsMax * 4
  const { output, problem } = await runChild({
    program,
    args: [context.pixelsMax, limits.sidePixelsMax, Math.ceil(seconds) + 1, wanted, ...how],
    input: bytes,
    seconds,
    memoryBytesMax,
    signal: context.signal,
    outputBytes(head) {
      if (head.length < headBytes) return 0
      const { width, height } = sizeIn(head)
      return Math.min(headBytes + width * height * 4, outputBytesMax)
    },
    tooLong: () =>
      failure(
        'limit_exceeded',
        `Drawing the SVG took longer than ${Math.ceil(seconds)} s. Simplify it, or draw it smaller.`,
      ),
    tooLarge: () => new TooLarge(),
  })
  if (!isWhole(output, wanted)) throw faultOf(problem, context.pixelsMax)
  return output
}

function isWhole(output: Buffer, wanted: 0 | 1): boolean {
  if (output.length < headBytes) return false
  const { width, height } = sizeIn(output)
  return output.length === headBytes + width * height * 4 * wanted
}

function faultOf(problem: string, pixelsMax: number): Fault {
  const report = problem.split('\n').find((line) => line.startsWith('{')) ?? '{}'
  const { width, height, message } = JSON.parse(report) as { width?: number; height?: number; message?: string }
  if (width !== undefined && height !== undefined) {
    try {
      checkSize(width, height, pixelsMax)
    } catch (error) {
      if (error instanceof Fault) return error
    }
  }
  if (/density/.test(message ?? '')) {
    return failure(
      'limit_exceeded',
      "The SVG can't be scaled to this size: it is too far from the size of the SVG. Set a larger `width` and `height` in the SVG, or draw it at another size.",
      {
        cause: message,
      },
    )
  }
  if (/pixel limit/.test(message ?? '')) {
    return failure('limit_exceeded', `The SVG is too large; the maximum is ${pixelsMax} pixels.`, {
      cause: message,
    })
  }
  return failure(
    'input_invalid',
    "The SVG can't be drawn: it is invalid, or has neither `width` and `height` nor a `viewBox`.",
    {
      cause: message ?? problem,
    },
  )
}
