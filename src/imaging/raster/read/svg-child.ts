/** A program of a process pool: checks and renders one SVG. librsvg runs in no other process. */
import sharp from 'sharp'
import { Fault, failure } from '../../../errors.ts'
import { serveJobs } from '../../../processes/pool-program.ts'
import { checkSize } from '../size.ts'
import { type DrawingJob, type DrawingScale, type Drawn, factorOf, type Size } from './drawing.ts'
import { checkSvg } from './svg-check.ts'

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

serveJobs<DrawingJob, Drawn>(async ({ bytes, scale, pixelsMax, wantsPixels }) => {
  const checked = checkSvg(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const svg = Buffer.from(checked.svg)
  const { missing } = checked
  try {
    const natural = await sizeAt(svg, 1)
    const factor = typeof scale === 'number' ? scale : await factorToFit(svg, scale)
    checkSize(Math.round(natural.width * factor), Math.round(natural.height * factor), pixelsMax)
    const { data, info } = await sharp(svg, { density: 72 * factor, limitInputPixels: pixelsMax })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 4) throw new Error(`drawn with ${info.channels} channels`)
    return { width: info.width, height: info.height, missing, ...(wantsPixels && { data }) }
  } catch (error) {
    throw faultOf(error, pixelsMax)
  }
})

async function sizeAt(svg: Buffer, factor: number): Promise<Size> {
  const { width, height } = await sharp(svg, { density: 72 * factor, limitInputPixels: false }).metadata()
  return { width, height }
}

/** Sizes are whole pixels, but drawings may have fractions: a size that is off by one is rendered again. */
async function factorToFit(svg: Buffer, scale: DrawingScale): Promise<number> {
  let factor = 1
  for (let round = 0; round < 4; round += 1) {
    const missing = factorOf(scale, await sizeAt(svg, factor))
    if (missing === 1) break
    factor *= missing
  }
  return factor
}

function faultOf(cause: unknown, pixelsMax: number): Fault {
  if (cause instanceof Fault) return cause
  const text = cause instanceof Error ? cause.message : String(cause)
  if (/density/.test(text)) {
    return failure(
      'limit_exceeded',
      "The SVG can't be scaled to this size: it is too far from the size of the SVG. Set a larger `width` and `height` in the SVG, or draw it at another size.",
      { cause },
    )
  }
  if (/pixel limit/.test(text)) {
    return failure('limit_exceeded', `The SVG is too large; the maximum is ${pixelsMax} pixels.`, { cause })
  }
  return failure(
    'input_invalid',
    "The SVG can't be drawn: it is invalid, or has neither `width` and `height` nor a `viewBox`.",
    { cause },
  )
}
