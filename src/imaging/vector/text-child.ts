/**
 * A separate program: draws texts and charts with fonts of accounts, one job at a time, and is killed if one takes too long or too
 * much memory. No other process shapes text or draws with these fonts, whose glyphs and rules can take any time. It ends when its
 * parent process is gone.
 */
import { writeFileSync } from 'node:fs'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { AccountFont } from '../types.ts'
import { type LaidText, layText } from './lay-text.ts'
import { renderChart } from './render-chart.ts'
import type { DrawingJob, DrawingReply, FontAnswer, FontFacts, FontQuestion, TextJob } from './text-messages.ts'

try {
  // If memory runs out, the system kills this process first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

/** The parent kills this process instead. */
const { signal } = new AbortController()

const asked = new Map<number, (answer: FontAnswer['answer']) => void>()
let questions = 0
/** The text of the last job: its next job is often for the same text. */
let last: { key: number; laid: LaidText } | undefined

process.on('message', async (message: DrawingJob | FontAnswer) => {
  if ('answer' in message) {
    asked.get(message.id)?.(message.answer)
    asked.delete(message.id)
    return
  }
  process.send?.(await replyTo(message).catch(replyOf))
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function replyTo(job: DrawingJob): Promise<DrawingReply> {
  const warnings: string[] = []
  const fonts = job.fonts.map(fontOf)
  const context = {
    fonts: async () => fonts,
    warn: (warning: string) => void warnings.push(warning),
    signal,
    secondsLeft: () => limits.fontSeconds,
  }
  if ('chart' in job) return { chart: await renderChart(job.chart, context), warnings }
  const laid = await laidFor(job, context)
  if (job.paint) return { painted: await laid.paint(job.paint.area, job.paint.layers, context) }
  const { box, ink, visible, hasBackground } = laid
  return { laid: { box, ink, visible, hasBackground }, warnings }
}

async function laidFor({ key, text, box }: TextJob, context: Parameters<typeof layText>[1]): Promise<LaidText> {
  if (last?.key === key) return last.laid
  last?.laid.release()
  last = undefined
  const laid = await layText(text, context, box)
  last = { key, laid }
  return laid
}

function fontOf(facts: FontFacts): AccountFont {
  return {
    ...facts,
    async read() {
      const bytes = (await ask({ id: facts.id, part: 'bytes' })) as Uint8Array
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    },
    characters: async () => (await ask({ id: facts.id, part: 'characters' })) as string,
  }
}

function ask(question: FontQuestion): Promise<FontAnswer['answer']> {
  const { promise, resolve } = Promise.withResolvers<FontAnswer['answer']>()
  const id = questions++
  asked.set(id, resolve)
  process.send?.({ question, id })
  return promise
}

function replyOf(error: unknown): DrawingReply {
  if (error instanceof Fault && error.details.reason !== undefined)
    return { refused: { message: error.message, reason: error.details.reason } }
  return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
