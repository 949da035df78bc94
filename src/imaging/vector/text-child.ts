/**
 * A program of a process pool: draws texts and charts with fonts of accounts. No other process shapes text or draws with these fonts,
 * whose glyphs and rules can take any time.
 */
import { type Ask, serveJobs } from '../../processes/pool-program.ts'
import type { AccountFont } from '../types.ts'
import { type LaidText, layText } from './lay-text.ts'
import { renderChart } from './render-chart.ts'
import type { DrawingJob, DrawingReply, FontFacts, FontQuestion, TextJob } from './text-messages.ts'

/** The parent kills this process instead. */
const { signal } = new AbortController()

/** The text of the last job: its next job is often for the same text. */
let last: { key: number; laid: LaidText } | undefined

serveJobs<DrawingJob, DrawingReply, FontQuestion>(replyTo)

async function replyTo(job: DrawingJob, ask: Ask<FontQuestion>): Promise<DrawingReply> {
  const warnings: string[] = []
  const fonts = job.fonts.map((facts) => fontOf(facts, ask))
  const context = {
    fonts: async () => fonts,
    warn: (warning: string) => void warnings.push(warning),
    signal,
    secondsLeft: () => Number.POSITIVE_INFINITY,
  }
  if ('chart' in job) {
    const {
      pixels: { data, ...chart },
      plot,
    } = await renderChart(job.chart, context)
    return { chart, plot, data, warnings }
  }
  const laid = await laidFor(job, context)
  if (job.paint) return { data: await laid.paint(job.paint.area, job.paint.layers, context) }
  const { box, lines, carets, ink, visible, hasBackground } = laid
  return { laid: { box, lines, carets, ink, visible, hasBackground }, warnings }
}

async function laidFor({ key, text, ...place }: TextJob, context: Parameters<typeof layText>[1]): Promise<LaidText> {
  if (last?.key === key) return last.laid
  last?.laid.release()
  last = undefined
  const laid = await layText(text, context, place)
  last = { key, laid }
  return laid
}

function fontOf(facts: FontFacts, ask: Ask<FontQuestion>): AccountFont {
  return {
    ...facts,
    async read() {
      const bytes = (await ask({ id: facts.id, part: 'bytes' })) as Uint8Array
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    characters: async () => (await ask({ id: facts.id, part: 'characters' })) as string,
  }
}
