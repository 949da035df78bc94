/**
 * A separate program: renders one SVG from standard input to raw pixels on standard output, and is killed if it takes
 * too long or too much memory. librsvg runs in no other process. Arguments: pixelsMax, sidePixelsMax, seconds,
 * whether the pixels are wanted (1) or only their size (0), and either a scale and two zeros, or 0 and the width and
 * height to fit into, of which one may be 0. Output: width and height (32 bits each, little-endian), then RGBA
 * pixels. On failure: one line of JSON on standard error, and no output.
 */
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const [pixelsMax = 1, sidePixelsMax = 1, seconds = 1, wanted = 1, factor = 1, wide = 0, high = 0] = process.argv
  .slice(2)
  .map(Number)

// Ends by itself if the parent process is gone.
setTimeout(end, seconds * 1_000).unref()

try {
  // If memory runs out, the system kills this process first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

try {
  const svg = await buffer(process.stdin)
  const natural = await sizeAt(svg, 1)
  const scale = factor || (await scaleToFit(svg))
  const width = Math.round(natural.width * scale)
  const height = Math.round(natural.height * scale)
  if (width > sidePixelsMax || height > sidePixelsMax || width * height > pixelsMax) fail({ width, height })
  const { data, info } = await sharp(svg, { density: 72 * scale, limitInputPixels: pixelsMax })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Error(`drawn with ${info.channels} channels`)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(info.width, 0)
  head.writeUInt32LE(info.height, 4)
  process.stdout.write(head)
  process.stdout.write(wanted === 1 ? data : '', end)
} catch (error) {
  fail({ message: error instanceof Error ? error.message : String(error) })
}

async function sizeAt(svg: Buffer, scale: number): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(svg, { density: 72 * scale, limitInputPixels: false }).metadata()
  return { width, height }
}

/** Sizes are whole pixels, but drawings may have fractions: a size that is off by one is rendered again. */
async function scaleToFit(svg: Buffer): Promise<number> {
  let scale = 1
  for (let round = 0; round < 4; round += 1) {
    const now = await sizeAt(svg, scale)
    const missing = Math.min(wide > 0 ? wide / now.width : Infinity, high > 0 ? high / now.height : Infinity)
    if (missing === 1) break
    scale *= missing
  }
  return scale
}

function fail(message: { message: string } | { width: number; height: number }): never {
  writeFileSync(2, `${JSON.stringify(message)}\n`)
  return end()
}

/**
 * Not process.exit(): in Node 24 it waits for V8's compiler threads, which may wait for a garbage collection that the
 * main thread no longer runs.
 */
function end(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still here')
}
