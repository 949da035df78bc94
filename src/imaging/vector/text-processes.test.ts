import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failure, MachineBusy } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { Processes } from '../../processes/processes.ts'
import { compositeOver } from '../raster/layer/over.ts'
import { isFault } from '../raster/test-faults.ts'
import type { AccountFont } from '../types.ts'
import { loadCanvas } from './canvas.ts'
import type { ChartStyle } from './chart-style.ts'
import { formatCoverage } from './coverage.ts'
import { drawText } from './draw-text.ts'
import { layText } from './lay-text.ts'
import { renderChart } from './render-chart.ts'
import { ttf, withOutline } from './test-fonts.ts'
import { drawChart } from './text-processes.ts'
import type { TextStyle } from './text-style.ts'

const processes = new Processes()
let reads = 0

function fontOf(id: string, bytes: Buffer): AccountFont {
  return {
    ...{ id, accountId: 'acct', family: id, weightMin: 400, weightMax: 400, italic: false },
    async read() {
      reads += 1
      return bytes
    },
    characters: async () => formatCoverage(new Set([0x41, 0x42])),
  }
}

const house = fontOf('House', ttf)
/** A font that was stored before such outlines were refused. */
const bomb = fontOf('Bomb', withOutline(30_000))

const warnings: string[] = []
const contextFor = (seconds = 60, signal = new AbortController().signal) => ({
  fonts: async () => [house, bomb],
  warn: (warning: string) => void warnings.push(warning),
  signal,
  secondsLeft: () => seconds,
  processes,
  pixelsMax: 1e8,
})

const styleOf = (more: Partial<TextStyle>): TextStyle => ({
  ...({ text: 'AB', font: 'House', weight: 400, italic: false, language: 'auto', size: 40 } as const),
  ...({ lineHeight: 1.2, fit: 'ellipsis', markup: false, transform: 'none', balance: false } as const),
  ...({ direction: 'auto', letterSpacing: 0, align: 'left', verticalAlign: 'top', underline: false } as const),
  ...({ strike: false, color: 'black', outlineWidth: 0, outlineColor: 'red' } as const),
  ...more,
})
/** Takes minutes. */
const slow = styleOf({ text: 'AB'.repeat(100), font: 'Bomb', size: 300 })
const pixels = ({ width, height }: { width: number; height: number }) =>
  ({ data: Buffer.alloc(width * height * 4), width, height, channels: 4 }) as const

async function drawn(style: TextStyle, context = contextFor()): Promise<Buffer> {
  const text = await drawText(style, context)
  const target = pixels(text.box)
  await text.drawOn(target, context)
  text.release()
  return target.data
}

test('draws a text as this process would, without the font in this process', async () => {
  const style = styleOf({ outlineWidth: 2, background: { color: 'yellow', padding: 2, radius: 3, per: 'text' } })
  const own = await drawn(style)
  const { GlobalFonts } = await loadCanvas()
  assert.ok(!GlobalFonts.has('tintype House'))
  const local = await layText(style, contextFor())
  const target = pixels(local.box)
  const layer = await local.paint(local.box, ['background', 'ink'], contextFor())
  await compositeOver(
    target,
    { ...target, data: layer, channels: 4, premultiplied: true },
    { x: 0, y: 0, opacity: 1 },
    local.box,
  )
  local.release()
  assert.ok(own.equals(target.data) && own.some((value) => value > 0))
})

test('a process asks for a font once, and a text with one run in it is drawn there', async () => {
  const before = reads
  await drawn(styleOf({ text: 'A' }))
  await drawn(styleOf({ font: 'Inter', markup: true, text: 'A<span font="House">B</span>' }))
  assert.ok(reads <= before + 1)
})

test('a text that takes too long is stopped, and the next one is drawn', async (t) => {
  t.mock.property<{ fontSeconds: number }, 'fontSeconds'>(limits, 'fontSeconds', 1)
  await assert.rejects(
    drawn(slow),
    isFault('limit_exceeded', /took longer than 1 s of CPU time, the maximum\. Use another font/),
  )
  await drawn(styleOf({}))
})

test('a text is laid out again if its process ends before it is drawn', async () => {
  const context = contextFor()
  const text = await drawText(styleOf({}), context)
  for (const pid of processes.ids()) process.kill(pid, 'SIGKILL')
  const target = pixels(text.box)
  await text.drawOn(target, context)
  assert.ok(target.data.some((value) => value > 0))
})

test('an aborted text stops its process', async () => {
  const aborted = new AbortController()
  const font = fontOf('Aborting', ttf)
  const read = async () => {
    aborted.abort(failure('cancelled', 'stopped here'))
    return ttf
  }
  const context = { ...contextFor(60, aborted.signal), fonts: async () => [{ ...font, read }] }
  await assert.rejects(drawn(styleOf({ font: 'Aborting' }), context), isFault('cancelled', /stopped here/))
  assert.deepEqual(processes.ids(), [])
})

test('warnings and refusals have the words of this process', async () => {
  const text = 'A\u{e000}'
  await drawn(styleOf({ text }))
  assert.match(warnings.join(), /No font has the character U\+E000/)
  await assert.rejects(drawn(styleOf({ text, missingGlyphs: 'error' })), isFault('input_invalid', /U\+E000/))
  await assert.rejects(drawn(styleOf({ font: 'None' })), isFault('input_invalid', /"None" was not found/))
  const corrupt = { ...contextFor(), fonts: async () => [fontOf('Corrupt', Buffer.from('none'))] }
  await assert.rejects(
    drawn(styleOf({ font: 'Corrupt' }), corrupt),
    isFault('input_invalid', /"Corrupt" \(Corrupt\) can't be read/),
  )
})

const chartOf = (more: Partial<ChartStyle>): ChartStyle => {
  const black = { r: 0, g: 0, b: 0, alpha: 1 }
  return {
    ...({ kind: 'bar', width: 300, height: 200, title: 'AB', subtitle: '', xTitle: '', yTitle: '' } as const),
    ...({ legend: 'none', gridLines: true, stacked: false, horizontal: false, smooth: false } as const),
    ...({ showValues: false, numberFormat: '1,234.5', compact: false, prefix: '', suffix: '' } as const),
    ...{ colors: ['red'], color: black, background: { ...black, alpha: 0 }, font: 'House', fontSize: 12 },
    data: { labels: ['A', 'B'], series: [{ name: 'A', values: [1, 2] }] },
    ...more,
  }
}

for (const font of ['House', 'Inter']) {
  test(`a chart in ${font} is drawn as this process would`, async () => {
    const style = chartOf({ font })
    const { pixels, plot } = await drawChart(style, contextFor())
    const { data, ...size } = pixels
    const here = await renderChart(style, contextFor())
    assert.deepEqual(size, { width: 300, height: 200, channels: 4 })
    assert.deepEqual(plot, here.plot)
    assert.ok(data.equals(here.pixels.data) && data.some((value) => value > 0))
  })
}

test('a chart that takes too long has its own refusal', async (t) => {
  const labels = Array.from({ length: 500 }, (_, at) => `${at}${'aあ图م'.repeat(45)}`)
  const values = labels.map((_, at) => at % 9)
  const large = chartOf({
    ...({ font: 'Inter', kind: 'area', width: 1_200, height: 1_200 } as const),
    data: { labels, series: [{ name: 'A', values }] },
  })
  t.mock.property<{ fontSeconds: number }, 'fontSeconds'>(limits, 'fontSeconds', 0.1)
  await assert.rejects(
    drawChart(large, contextFor()),
    isFault('limit_exceeded', /Drawing the chart took longer than 0\.1 s of CPU time, the maximum\. Use fewer values/),
  )
})

test('a chart of a few values on a machine without a free core is not the fault of its values', async (t) => {
  // A process that has started could be faster than the first look at it.
  processes.stop()
  let ms = 0
  t.mock.method(performance, 'now', () => {
    ms += 1_000_000
    return ms
  })
  await assert.rejects(drawChart(chartOf({}), contextFor(Number.POSITIVE_INFINITY)), MachineBusy)
})
