/** The processes that draw texts with fonts of accounts, and charts: see text-child.ts. */
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createProcessPool } from '../../processes/process-pool.ts'
import { type JobContext, runJob } from '../raster/jobs.ts'
import type { AccountFont } from '../types.ts'
import { type ChartStyle, chartWeights } from './chart-style.ts'
import { accountFontsIn, type FontContext } from './fonts.ts'
import type { LaidText, TextPlace } from './lay-text.ts'
import type { DrawnChart } from './render-chart.ts'
import type { DrawingJob, DrawingReply, FontFacts, FontQuestion, TextJob } from './text-messages.ts'
import type { TextStyle } from './text-style.ts'

const remedyOf = (job: DrawingJob) =>
  'chart' in job
    ? 'Use fewer values or shorter names, or draw it smaller.'
    : 'Use another font or a shorter text, or draw it smaller.'

const drawingOf = (job: DrawingJob) => ('chart' in job ? 'Drawing the chart' : 'Drawing with an uploaded font')

/** Four copies in RGBA: of the canvas, of the image, of the reply, and of the last chart, which isn't collected yet. */
const chartBytesPerPixel = 16

const pool = createProcessPool<DrawingJob, DrawingReply, JobContext, FontQuestion>({
  program: new URL('./text-child.ts', import.meta.url),
  // The pixels of a canvas go back to the system immediately: otherwise a process for charts doubles its memory after a few of them.
  env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  schedule: runJob,
  seconds: () => limits.fontSeconds,
  memoryBytes(job, isSecondTry) {
    if (isSecondTry) return limits.fontMemoryBytesMax
    const canvas = 'chart' in job ? job.chart.width * job.chart.height * chartBytesPerPixel : 0
    return limits.htmlUsualMemoryBytes + canvas
  },
  idleBytesMax: limits.htmlUsualMemoryBytes * 0.75,
  tooLong: (seconds, job) =>
    failure(
      'limit_exceeded',
      `${drawingOf(job)} took longer than ${seconds} s of CPU time, the maximum. ${remedyOf(job)}`,
    ),
  tooLarge: (job) => failure('limit_exceeded', `${drawingOf(job)} exceeded the memory limit. ${remedyOf(job)}`),
  ended: (cause, job) =>
    failure(
      'input_invalid',
      job.fonts.length > 0
        ? "The uploaded font can't be drawn: the renderer ended twice. Use another font."
        : `The chart can't be drawn: the renderer ended twice. ${remedyOf(job)}`,
      { cause },
    ),
})

type Context = FontContext & Partial<JobContext> & Pick<JobContext, 'processes'>

let texts = 0

/** Lays out text like `layText`, with these fonts of the account. */
export async function layTextInProcess(
  text: TextStyle,
  fonts: AccountFont[],
  context: Context,
  place: TextPlace = {},
): Promise<LaidText> {
  const job = { text, ...place, key: texts++, fonts: fonts.map(factsOf) }
  const run = (paint: TextJob['paint'], signals: Pick<FontContext, 'signal'>) =>
    ask({ ...job, paint }, fonts, { ...context, ...signals })
  const reply = await run(undefined, {})
  if (!('laid' in reply)) throw new Error('not the reply to a layout')
  for (const warning of reply.warnings) context.warn?.(warning)
  return {
    ...reply.laid,
    async paint(area, layers, { signal }) {
      const reply = await run({ area, layers }, { signal })
      if (!('data' in reply)) throw new Error('not the reply to a painting')
      return bufferOf(reply.data)
    },
    // The process keeps the fonts until its next job.
    release() {},
  }
}

/** Draws a chart like `renderChart`. */
export async function drawChart(chart: ChartStyle, context: Context): Promise<DrawnChart> {
  const requests = chartWeights(chart).map((weight) => ({ font: chart.font, weight, italic: false }))
  const fonts = await accountFontsIn(requests, context)
  const reply = await ask({ chart, fonts: fonts.map(factsOf) }, fonts, context)
  if (!('chart' in reply)) throw new Error('not the reply to a chart')
  for (const warning of reply.warnings) context.warn?.(warning)
  return { pixels: { ...reply.chart, data: bufferOf(reply.data) }, plot: reply.plot }
}

async function ask(job: DrawingJob, fonts: AccountFont[], context: Context): Promise<DrawingReply> {
  const jobContext: JobContext = {
    ...context,
    signal: context.signal ?? new AbortController().signal,
    secondsLeft: () => context.secondsLeft?.() ?? Number.POSITIVE_INFINITY,
  }
  return pool.run(job, jobContext, async ({ id, part }) => {
    const font = fonts.find((each) => each.id === id)
    if (font === undefined) throw new Error(`a question about an unknown font: ${id}`)
    return part === 'bytes' ? font.read() : font.characters()
  })
}

function factsOf({ id, accountId, family, weightMin, weightMax, italic }: AccountFont): FontFacts {
  return { id, accountId, family, weightMin, weightMax, italic }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
