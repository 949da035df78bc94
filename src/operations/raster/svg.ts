/** SVG to pixels, in a process that can be ended: librsvg can take minutes and gigabytes, and nothing stops it from inside. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Pixels } from '../define.ts'
import { type JobContext, runJob } from './jobs.ts'
import { checkSize } from './size.ts'

type SvgContext = JobContext & { pixelsMax: number }

interface Size {
  width: number
  height: number
}

/** Times its own size (CSS pixels: 96 to the inch), or as large as fits into these sides, of which one may be left out. */
export type SvgScale = number | Partial<Size>

/** Always with alpha. */
export async function renderSvg(bytes: Buffer, scale: SvgScale, context: SvgContext): Promise<Pixels> {
  await check(bytes)
  const output = await runJob(context, () => draw(bytes, { scale, wanted: 1 }, context))
  return { data: output.subarray(headBytes), ...sizeIn(output), channels: 4 }
}

/** The size of an SVG that was drawn to the end, once, without keeping the pixels. */
export async function measureSvg(bytes: Buffer, context: SvgContext): Promise<Size> {
  await check(bytes)
  return sizeIn(await runJob(context, () => draw(bytes, { scale: 1, wanted: 0 }, context)))
}

/** The parser is loaded with the first SVG. */
async function check(bytes: Buffer): Promise<void> {
  const { checkSvg } = await import('./svg-check.ts')
  checkSvg(bytes)
}

const program = fileURLToPath(new URL('./svg-child.ts', import.meta.url))
const memoryPollMs = 25
const headBytes = 8

function sizeIn(output: Buffer): Size {
  return { width: output.readUInt32LE(0), height: output.readUInt32LE(4) }
}

async function draw(bytes: Buffer, { scale, wanted }: { scale: SvgScale; wanted: 0 | 1 }, context: SvgContext) {
  const seconds = Math.min(limits.svgSeconds, context.secondsLeft())
  const how = typeof scale === 'number' ? [scale, 0, 0] : [0, scale.width ?? 0, scale.height ?? 0]
  const args = [context.pixelsMax, limits.sidePixelsMax, Math.ceil(seconds) + 1, wanted, ...how]
  const child = spawn(process.execPath, [program, ...args.map(String)], {
    // Nothing of this process's environment: no key, no setting.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: context.signal,
    killSignal: 'SIGKILL',
  })
  let ended: Fault | undefined
  const end = (fault: Fault) => {
    ended ??= fault
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => {
    end(failure('limit_exceeded', `The SVG took longer than ${Math.ceil(seconds)} s to draw.`))
  }, seconds * 1_000)
  const poll = setInterval(() => {
    if (residentBytes(child) > limits.svgMemoryBytesMax) {
      end(failure('limit_exceeded', 'The SVG took more memory to draw than is allowed.'))
    }
  }, memoryPollMs)
  try {
    const { output, problem } = await outcome(child, bytes, headBytes + context.pixelsMax * 4)
    if (ended) throw ended
    if (!isWhole(output, wanted)) throw faultOf(problem, context.pixelsMax)
    return output
  } finally {
    clearTimeout(timer)
    clearInterval(poll)
  }
}

function isWhole(output: Buffer, wanted: 0 | 1): boolean {
  if (output.length < headBytes) return false
  const { width, height } = sizeIn(output)
  return output.length === headBytes + width * height * 4 * wanted
}

/** Collects what the child says until it has ended. How it ended says nothing: it always kills itself. */
function outcome(child: ChildProcess, input: Buffer, outputBytesMax: number) {
  const { promise, resolve, reject } = Promise.withResolvers<{ output: Buffer; problem: string }>()
  let output = Buffer.alloc(0)
  let outputBytes = 0
  let problem = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    // The first chunk tells how much there will be; no second copy of a large picture.
    if (outputBytes === 0 && chunk.length >= headBytes) {
      const { width, height } = sizeIn(chunk)
      output = Buffer.allocUnsafe(Math.min(headBytes + width * height * 4, outputBytesMax))
    }
    chunk.copy(output, outputBytes)
    outputBytes += chunk.length
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    problem = `${problem}${chunk.toString()}`.slice(-4_096)
  })
  // It may be killed, or refuse, before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  child.on('error', reject)
  child.on('close', () => resolve({ output: output.subarray(0, outputBytes), problem }))
  return promise
}

function faultOf(problem: string, pixelsMax: number): Fault {
  const said = problem.split('\n').find((line) => line.startsWith('{')) ?? '{}'
  const { width, height, message } = JSON.parse(said) as { width?: number; height?: number; message?: string }
  if (width !== undefined && height !== undefined) {
    try {
      checkSize(width, height, pixelsMax)
    } catch (error) {
      if (error instanceof Fault) return error
    }
  }
  if (/density/.test(message ?? '')) {
    return failure('limit_exceeded', 'The SVG cannot be drawn at this size: it is too far from its own size.', {
      cause: message,
    })
  }
  if (/pixel limit/.test(message ?? '')) {
    return failure('limit_exceeded', `The SVG is too large; at most ${pixelsMax} pixels are allowed.`, {
      cause: message,
    })
  }
  return failure('input_invalid', 'The SVG could not be drawn: it has no size, or is not valid.', {
    cause: message ?? problem,
  })
}

/** 0 where the system does not tell; there only the time is bounded. */
function residentBytes(child: ChildProcess): number {
  try {
    // In the file system of the kernel: never waits for a disk.
    const kibibytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1_024
  } catch {
    return 0
  }
}
