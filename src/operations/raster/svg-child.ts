/**
 * A program of its own: draws one SVG from standard input to raw pixels on standard output, and is killed when it takes
 * too long or too much. librsvg runs in no other process.
 *
 * Arguments: scale, pixelsMax, sidePixelsMax, seconds, and whether the pixels are wanted (1) or only their size (0).
 * Output: width and height (32 bits each, little-endian), then the pixels, RGBA. On a failure: one line of JSON on standard
 * error, and no output.
 */
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const [scale = 1, pixelsMax = 1, sidePixelsMax = 1, seconds = 1, wanted = 1] = process.argv.slice(2).map(Number)

// Whoever started this may be gone; then nobody else ends it.
setTimeout(end, seconds * 1_000).unref()

try {
  // Where memory runs out, this process goes first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not a Linux.
}

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

try {
  const svg = await buffer(process.stdin)
  const { width, height } = await sharp(svg).metadata()
  const wide = Math.round(width * scale)
  const high = Math.round(height * scale)
  if (wide > sidePixelsMax || high > sidePixelsMax || wide * high > pixelsMax) {
    fail({ width: wide, height: high })
  }
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

function fail(what: { message: string } | { width: number; height: number }): never {
  writeFileSync(2, `${JSON.stringify(what)}\n`)
  return end()
}

/**
 * Not process.exit(): in Node 24 it waits for V8's compiler threads, which may be waiting for a garbage collection that
 * the main thread does not make any more.
 */
function end(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still here')
}
