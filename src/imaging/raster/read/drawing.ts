/**
 * Draws a file to pixels in a process that can be killed: a renderer can take minutes and gigabytes, and cannot be
 * interrupted from inside.
 */
import { Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { elapsedSecondsMax, runChild } from '../child.ts'
import type { JobContext } from '../jobs.ts'
import { checkSize } from '../size.ts'
import { type ChildMemory, inUsualMemory } from '../usual-memory.ts'

export type DrawingContext = JobContext & { pixelsMax: number }

export interface Size {
  width: number
  height: number
}

/** A factor of its natural size, or the size to fit into, of which one side may be omitted. */
export type DrawingScale = number | Partial<Size>

export interface Drawing {
  bytes: Buffer
  /** Reads `bytes`, and writes width and height (32 bits each, little-endian), then pixels. See svg-child.ts. */
  program: string
  /** Its arguments after pixelsMax, sidePixelsMax, seconds, and whether the pixels are wanted. */
  args: number[]
  /** The name of the file in messages: "the SVG". */
  name: string
  /** How the caller can make it cheaper to draw. */
  advice: string
  channels: 3 | 4
  /** Whether the pixels are wanted, or only the size. */
  wantsPixels: boolean
  usualMemoryBytes: number
  memoryBytesMax: number
  secondsMax: number
  /** The fault of a drawing without a result. */
  faultOf(report: DrawingReport, problem: string): Fault
}

/** The line of JSON that the program writes to standard error. */
export type DrawingReport = Partial<Size> & Record<string, unknown>

export interface Drawn extends Size {
  data: Buffer
  report: DrawingReport
}

export async function draw(drawing: Drawing, context: DrawingContext): Promise<Drawn> {
  const { usualMemoryBytes: usualBytes, memoryBytesMax: bytesMax, name, advice } = drawing
  const fault = () => failure('limit_exceeded', `Drawing ${name} exceeded the memory limit. ${advice}`)
  return inUsualMemory(context, { usualBytes, bytesMax, fault }, (memory) => drawWithin(drawing, memory, context))
}

const headBytes = 8

async function drawWithin(drawing: Drawing, memory: ChildMemory, context: DrawingContext): Promise<Drawn> {
  const { bytes, program, args, name, advice, channels, wantsPixels, secondsMax, faultOf } = drawing
  const secondsLeft = context.secondsLeft()
  const { pixelsMax } = context
  const { output, problem } = await runChild({
    program,
    args: [
      pixelsMax,
      limits.sidePixelsMax,
      Math.ceil(elapsedSecondsMax(secondsMax, secondsLeft)) + 1,
      wantsPixels ? 1 : 0,
      ...args,
    ],
    input: bytes,
    seconds: secondsMax,
    secondsLeft,
    ...memory,
    signal: context.signal,
    outputBytes(head) {
      if (head.length < headBytes) return 0
      const { width, height } = sizeIn(head)
      return headBytes + Math.min(width * height, pixelsMax) * channels
    },
    tooLong: (seconds) =>
      failure('limit_exceeded', `Drawing ${name} took longer than ${Math.ceil(seconds)} s, the maximum. ${advice}`),
  })
  const report = reportIn(problem)
  const size = output.length < headBytes ? undefined : sizeIn(output)
  const pixels = size && wantsPixels ? size.width * size.height * channels : 0
  if (size === undefined || output.length !== headBytes + pixels) {
    throw sizeFault(report, pixelsMax) ?? faultOf(report, problem)
  }
  return { ...size, data: output.subarray(headBytes), report }
}

function sizeIn(output: Buffer): Size {
  return { width: output.readUInt32LE(0), height: output.readUInt32LE(4) }
}

function reportIn(problem: string): DrawingReport {
  const line = problem.split('\n').find((text) => text.startsWith('{')) ?? '{}'
  return JSON.parse(line) as DrawingReport
}

function sizeFault({ width, height }: DrawingReport, pixelsMax: number): Fault | undefined {
  if (width === undefined || height === undefined) return undefined
  try {
    checkSize(width, height, pixelsMax)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  return undefined
}
