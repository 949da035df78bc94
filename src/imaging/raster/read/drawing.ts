/** Drawings in a process that can be killed: a renderer can take minutes and gigabytes, and can't be interrupted from inside. */
import { type Fault, failure } from '../../../errors.ts'
import type { PoolOptions } from '../../../processes/process-pool.ts'
import type { ImagingContext } from '../../types.ts'
import { type JobContext, runJob } from '../jobs.ts'

export type DrawingContext = JobContext & Pick<ImagingContext, 'pixelsMax' | 'warn'>

export interface Size {
  width: number
  height: number
}

/** A factor of its natural size, or the size to fit into, of which one side may be omitted. */
export type DrawingScale = number | Partial<Size>

export interface DrawingJob {
  bytes: Buffer
  scale: DrawingScale
  pixelsMax: number
  /** Whether the pixels are wanted, or only the size. */
  wantsPixels: boolean
}

export interface Drawn extends Size {
  data?: Buffer
  /** Features of an SVG that the renderer doesn't draw. */
  missing?: string[]
}

interface Bounds<Job> {
  /** The name of the file in messages: "the SVG". */
  name(job: Job): string
  /** How the caller can make it cheaper to draw. */
  advice: string
  seconds: () => number
  usualMemoryBytes: number
  memoryBytesMax: number
  /** The fault of a drawing that ends its process twice. */
  broken(cause: Error): Fault
}

export function drawingPool<Job extends DrawingJob>(
  program: URL,
  { name, advice, seconds, usualMemoryBytes, memoryBytesMax, broken }: Bounds<Job>,
): PoolOptions<Job, DrawingContext> {
  return {
    program,
    schedule: runJob,
    seconds,
    memoryBytes: (_, isSecondTry) => (isSecondTry ? memoryBytesMax : usualMemoryBytes),
    idleBytesMax: usualMemoryBytes * 0.75,
    tooLong: (after, job) =>
      failure('limit_exceeded', `Drawing ${name(job)} took longer than ${after} s of CPU time, the maximum. ${advice}`),
    tooLarge: (job) => failure('limit_exceeded', `Drawing ${name(job)} exceeded the memory limit. ${advice}`),
    ended: broken,
  }
}

/** The factor by which a drawing of this size is scaled. */
export function factorOf(scale: DrawingScale, { width, height }: Size): number {
  if (typeof scale === 'number') return scale
  return Math.min(
    scale.width === undefined ? Number.POSITIVE_INFINITY : scale.width / width,
    scale.height === undefined ? Number.POSITIVE_INFINITY : scale.height / height,
  )
}
