/** The processes that draw texts and charts with fonts of accounts: see text-child.ts. */
import { fileURLToPath } from 'node:url'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { JobContext } from '../raster/jobs.ts'
import { createProcessPool } from '../raster/process-pool.ts'
import type { Rectangle } from '../raster/region.ts'
import type { AccountFont, Pixels } from '../types.ts'
import type { ChartStyle } from './chart-style.ts'
import type { FontContext } from './fonts.ts'
import type { LaidText } from './lay-text.ts'
import type { DrawingJob, DrawingReply, FontFacts, FontQuestion, TextJob } from './text-messages.ts'
import type { TextStyle } from './text-style.ts'

const remedy = 'Use another font or a shorter text, or draw it smaller.'

const pool = createProcessPool<DrawingJob, DrawingReply, FontQuestion>({
  program: fileURLToPath(new URL('./text-child.ts', import.meta.url)),
  seconds: limits.fontSeconds,
  usualMemoryBytes: limits.htmlUsualMemoryBytes,
  memoryBytesMax: limits.fontMemoryBytesMax,
  tooLong: (seconds) =>
    failure('limit_exceeded', `Drawing with an uploaded font took longer than ${Math.ceil(seconds)} s. ${remedy}`),
  tooLarge: () => failure('limit_exceeded', `Drawing with an uploaded font exceeded the memory limit. ${remedy}`),
  ended: (cause) =>
    failure('input_invalid', "The uploaded font can't be drawn: the renderer ended twice. Use another font.", {
      cause,
    }),
})

export const stopTextProcesses = pool.stop
export const textProcessIds = pool.ids

type Context = FontContext & Partial<JobContext>

let texts = 0

/** As `layText`, with these fonts of the account. All jobs of a text have `fontSeconds` together. */
export async function layTextInProcess(
  text: TextStyle,
  fonts: AccountFont[],
  context: Context,
  box?: Rectangle,
): Promise<LaidText> {
  let secondsLeft: number = limits.fontSeconds
  const job = { text, box, key: texts++, fonts: fonts.map(factsOf) }
  const run = async (paint: TextJob['paint'], signals: Pick<FontContext, 'signal'>) => {
    let started = monotonicMs()
    const onStart = () => {
      started = monotonicMs()
    }
    const reply = await ask({ ...job, paint }, fonts, { ...context, ...signals, onStart }, secondsLeft)
    secondsLeft = Math.max(0.1, secondsLeft - elapsedSince(started) / 1_000)
    return reply
  }
  const reply = await run(undefined, {})
  if (!('laid' in reply)) throw new Error('not the reply to a layout')
  for (const warning of reply.warnings) context.warn?.(warning)
  return {
    ...reply.laid,
    async paint(area, layers, { signal }) {
      const reply = await run({ area, layers }, { signal })
      if (!('painted' in reply)) throw new Error('not the reply to a painting')
      return bufferOf(reply.painted)
    },
    // The process keeps the fonts until its next job.
    release() {},
  }
}

/** As `renderChart`, with these fonts of the account. */
export async function drawChartInProcess(style: ChartStyle, fonts: AccountFont[], context: Context): Promise<Pixels> {
  const reply = await ask({ chart: style, fonts: fonts.map(factsOf) }, fonts, context, limits.fontSeconds)
  if (!('chart' in reply)) throw new Error('not the reply to a chart')
  for (const warning of reply.warnings) context.warn?.(warning)
  return { ...reply.chart, data: bufferOf(reply.chart.data) }
}

async function ask(job: DrawingJob, fonts: AccountFont[], context: Context, seconds: number): Promise<DrawingReply> {
  const jobContext: JobContext = {
    ...context,
    signal: context.signal ?? new AbortController().signal,
    secondsLeft: () => Math.min(seconds, context.secondsLeft?.() ?? seconds),
  }
  const reply = await pool.run(job, jobContext, async ({ id, part }) => {
    const font = fonts.find((each) => each.id === id)
    if (font === undefined) throw new Error(`a question about an unknown font: ${id}`)
    return part === 'bytes' ? font.read() : font.characters()
  })
  if ('refused' in reply) throw failure(reply.refused.reason, reply.refused.message)
  if ('bug' in reply) throw new Error(reply.bug)
  return reply
}

function factsOf({ id, accountId, family, weightMin, weightMax, italic }: AccountFont): FontFacts {
  return { id, accountId, family, weightMin, weightMax, italic }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
