/** Cards of HTML and CSS at 1200 x 630, drawn by a process that has drawn others before. */
import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { renderHtml } from '../../src/imaging/html/render-html.ts'
import { imageFromPixels } from '../../src/imaging/raster/image.ts'
import { limits } from '../../src/limits.ts'
import { Processes } from '../../src/processes/processes.ts'
import { median } from '../statistics.ts'
import { type Cost, photograph } from './lab.ts'

export interface HtmlResult {
  name: string
  /** Cost in both processes together, from pixels to pixels. */
  drawing: Cost
  /** Cost of the result as WebP. */
  encoding: Cost
}

const rounds = 41

const shared =
  'body { display: flex; height: 630px; background: linear-gradient(135deg, #1e3a8a, #9333ea); color: white } h1 { font-size: 64px; margin: 0; line-height: 1.1 }'
const cards: [name: string, html: string, css: string][] = [
  [
    'photo',
    '<img src="node:photo" alt=""><main><h1>Small things travel far, and faster than you think</h1><p>tintype.example</p></main>',
    `${shared} img { width: 480px; height: 630px; object-fit: cover } main { flex: 1; margin: 48px; padding: 48px; border-radius: 32px; background: rgb(0 0 0 / 40%); box-shadow: 0 24px 48px rgb(0 0 0 / 40%) }`,
  ],
  [
    'table',
    `<table>${'<tr><td>Amara Okafor</td><td>Lagos</td><td>982</td><td>1,274.50</td></tr>'.repeat(12)}</table>`,
    `${shared} table { width: 1100px; margin: 24px auto; border-collapse: collapse; font-size: 24px } td { padding: 8px; border-bottom: 1px solid white }`,
  ],
  [
    'scripts',
    '<main><h1>مرحبا بالعالم · 日本語の見出し</h1><p>สวัสดี ☕😀👍🏽🇯🇵 नमस्ते</p></main>',
    `${shared} main { margin: auto } p { font-size: 48px }`,
  ],
]

export async function measureHtml(): Promise<HtmlResult[]> {
  const { data: source, info: size } = await (await photograph(1200, 630)).raw().toBuffer({ resolveWithObject: true })
  const photo = imageFromPixels({ data: source, width: size.width, height: size.height, channels: 3 })
  const results: HtmlResult[] = []
  for (const [name, html, css] of cards) {
    const options = { scale: 1, background: undefined, missingGlyphs: 'error' as const }
    const images = new Map([['photo', [photo]]])
    const draw = () => renderHtml({ html, css, width: 1200, height: 630, images, ...options }, context)
    const { data, width, height } = (await draw()).pixels
    const encode = () =>
      sharp(data, { raw: { width, height, channels: 4 } })
        .webp({ quality: 80 })
        .toBuffer()
    const drawings: Cost[] = []
    const encodings: Cost[] = []
    for (let round = 0; round < rounds; round += 1) {
      drawings.push(await costOf(draw))
      encodings.push(await costOf(encode))
    }
    const [drawing, encoding] = [drawings, encodings].map((costs) => ({
      cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
      wallMs: median(costs.map(({ wallMs }) => wallMs)),
    })) as [Cost, Cost]
    results.push({ name, drawing, encoding })
  }
  return results
}

const context = {
  signal: new AbortController().signal,
  secondsLeft: () => 60,
  processes: new Processes(),
  pixelsMax: limits.imagePixelsMax,
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [before, start] = [cpuMs(), performance.now()]
  await work()
  return { cpuMs: cpuMs() - before, wallMs: performance.now() - start }
}

/** CPU time of this process and of those that draw HTML. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + context.processes.ids().reduce((sum, pid) => sum + childCpuMs(pid), 0)
}

/** The time that the threads of a process ran, in nanoseconds (proc(5), schedstat). */
function childCpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(ran) / 1_000_000
  }, 0)
}
