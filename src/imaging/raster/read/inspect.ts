/**
 * Decodes files that are not trusted in processes that may die: uploads, and images from URLs. A file that passes within the limits
 * is trusted afterwards, and is decoded where it is used.
 */
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageFacts, ImageFormat } from '../../../domain/images/image.ts'
import { Fault, failure, invalidRequest, MachineBusy } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { createProcessPool } from '../../../processes/process-pool.ts'
import type { ImageContext } from '../image.ts'
import { inUploadTurn, runJob } from '../jobs.ts'
import { originOfFile } from '../xmp.ts'
import { isDrawing } from './drawn.ts'
import { inspectSecondsOf, tooLongToDecode } from './inspect-time.ts'
import { knownFormat } from './known-format.ts'
import { firstPage, measurePdf } from './pdf.ts'
import { sniffBytes } from './sniff.ts'
import { measureSvg, tooManyBytes } from './svg.ts'

export interface InspectJob {
  /** The path of the file. */
  file: string
  pixelsMax: number
  /** Whether a file without its end is refused, even if a decoder accepts it. */
  mustBeComplete: boolean
  /** Memory for the decoder and the file that is reserved. */
  memoryBytes: number
  /** Pixels of all frames, if it is known that they are many. */
  pixels: number
}

export type Inspected =
  | ImageFacts
  /** It is large, and wasn't decoded: it needs another turn. */
  | Pick<InspectJob, 'memoryBytes' | 'pixels'>

const pool = createProcessPool<InspectJob, Inspected, ImageContext>({
  program: new URL('./inspect-child.ts', import.meta.url),
  // As for the service: see bin/tintype.js.
  env: { MALLOC_ARENA_MAX: '2' },
  // The process itself is not part of the budget for images.
  schedule: (context, work, bytes) =>
    runJob({ ...context, isUntrusted: true }, work, bytes - limits.inspectUsualMemoryBytes),
  // The first look, after which the pixels are known, decodes images that need no reservation.
  seconds: ({ pixels }) => inspectSecondsOf(pixels || limits.longJobPixels),
  // No more for a second try: what a file needs for its decoding is known, and reserved when it is used.
  memoryBytes: ({ memoryBytes }) => limits.inspectUsualMemoryBytes + memoryBytes,
  idleBytesMax: limits.inspectUsualMemoryBytes,
  tooLong: tooLongToDecode,
  tooLarge: () =>
    failure(
      'limit_exceeded',
      'Decoding the image exceeded the memory limit. Use a smaller image, or export it again without its metadata.',
    ),
  ended: (cause) =>
    failure('input_invalid', "The image can't be decoded: the decoder ended twice. Export it again.", { cause }),
})

/** Starts a process while a file is still on its way. */
export const prepareInspecting = pool.warm

/** The account and the limits of an inspection. */
export interface InspectOptions extends Pick<ImageContext, 'account' | 'reserve' | 'processes'> {
  pixelsMax: number
  signal?: AbortSignal | undefined
}

/** Throws `invalid_request` if the file is not an image, is damaged, too large, or (SVG) not allowed. */
export async function inspect(file: string, options: InspectOptions): Promise<ImageFacts> {
  const { signal } = options
  const context: ImageContext = {
    ...options,
    signal: signal ?? new AbortController().signal,
    secondsLeft: () => Number.POSITIVE_INFINITY,
  }
  try {
    return await inUploadTurn(context, (turn) => look(file, turn))
  } catch (error) {
    if (signal?.aborted || !(error instanceof Fault) || error instanceof MachineBusy) throw error
    throw Object.assign(invalidRequest([{ path: 'file', message: error.message }]), { cause: error })
  }
}

/** Throws if these bytes of another host are not an image that can be decoded within the limits. Drawings are drawn in other processes. */
export async function inspectSource(bytes: Buffer, context: ImageContext): Promise<void> {
  if (isDrawing(knownFormat(bytes))) return
  const folder = await mkdtemp(join(tmpdir(), 'tintype-source-'))
  try {
    const file = join(folder, 'source')
    await writeFile(file, bytes)
    await decode(file, false, context)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function look(file: string, context: ImageContext): Promise<ImageFacts> {
  const { size, format } = await formatOf(file)
  if (!isDrawing(format)) return decode(file, true, context)
  const releaseMemory = await context.reserve?.(size, context.signal)
  try {
    const bytes = await readFile(file)
    if (format === 'svg') return { format, ...(await measureSvg(bytes, context)) }
    const origin = originOfFile(format, {}, bytes)
    return { format, ...(await measurePdf(bytes, firstPage, context)), ...(origin && { origin }) }
  } finally {
    releaseMemory?.()
  }
}

async function formatOf(file: string): Promise<{ size: number; format: ImageFormat }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw failure('input_invalid', 'The file is empty. Send the bytes of an image.')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    const format = knownFormat(buffer.subarray(0, bytesRead))
    if (format === 'svg' && size > limits.svgBytesMax) throw tooManyBytes(size)
    return { size, format }
  } finally {
    await handle.close()
  }
}

async function decode(file: string, mustBeComplete: boolean, context: ImageContext): Promise<ImageFacts> {
  const job = { file, mustBeComplete, pixelsMax: context.pixelsMax, memoryBytes: 0, pixels: 0 }
  const first = await pool.run(job, context)
  if (!('memoryBytes' in first)) return first
  const second = await pool.run({ ...job, ...first }, { ...context, pixels: first.pixels })
  if ('memoryBytes' in second) throw new Error('a file is larger than before')
  return second
}
