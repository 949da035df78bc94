import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { type FailureReason, Fault } from '../../errors.ts'
import { contextFor, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { chart } from './chart.ts'

const draw = (params: Record<string, unknown>) => runOn(chart, {}, { width: 400, height: 300, ...params })
const pure = { colors: ['#ff0000', '#00ff00', '#0000ff', '#ff00ff'], gridLines: false, background: 'white' }

test('bars have the heights of their values, from 0', async () => {
  const pixels = await draw({ ...pure, data: 'a,10\nb,20\nc,5' })
  const heights = runsOf(pixels, [255, 0, 0])
  assert.equal(heights.length, 3)
  const [a = 0, b = 0, c = 0] = heights
  assert.ok(Math.abs(b / a - 2) < 0.03 && Math.abs(a / c - 2) < 0.06, `${heights}`)
})

test('stacked bars are on top of each other, and negative ones below the axis', async () => {
  const side = await draw({ ...pure, data: 'x,p,q\na,10,10' })
  const stacked = await draw({ ...pure, data: 'x,p,q\na,10,10', stacked: true })
  assert.ok(columnsOf(side, [255, 0, 0]).every((x) => !columnsOf(side, [0, 255, 0]).includes(x)))
  assert.deepEqual(columnsOf(stacked, [255, 0, 0]), columnsOf(stacked, [0, 255, 0]))
  const below = await draw({ ...pure, data: 'a,-10\nb,10' })
  const rows = (from: number, to: number) => rowsOf(below, [255, 0, 0], from, to)
  const [left, right] = [rows(0, 200), rows(230, 400)]
  assert.ok(Math.min(...left) >= Math.max(...right) - 2, `${Math.min(...left)}, ${Math.max(...right)}`)
})

test('the slices of a pie, and of a donut, have the areas of their values', async () => {
  for (const kind of ['pie', 'donut']) {
    const pixels = await draw({ ...pure, kind, data: 'a,50\nb,30\nc,15\nd,5', legend: 'none' })
    const areas = pure.colors.map((_, at) =>
      count(
        pixels,
        [
          [255, 0, 0],
          [0, 255, 0],
          [0, 0, 255],
          [255, 0, 255],
        ][at] ?? [],
      ),
    )
    const sum = areas.reduce((total, area) => total + area, 0)
    for (const [at, share] of [0.5, 0.3, 0.15, 0.05].entries()) {
      assert.ok(Math.abs((areas[at] ?? 0) / sum - share) < 0.015, `${kind}: ${areas}`)
    }
  }
})

test('points are at their coordinates', async () => {
  const pixels = await draw({
    ...pure,
    kind: 'scatter',
    colors: ['#ff0000'],
    labels: ['0', '10'],
    series: [{ values: [0, 10] }],
    min: 0,
    max: 10,
  })
  const reds = reddish(pixels)
  const [left, right] = [reds.filter(({ x }) => x < 200), reds.filter(({ x }) => x >= 200)]
  assert.ok(left.length > 20 && right.length > 20)
  assert.ok(Math.min(...left.map(({ y }) => y)) > Math.max(...right.map(({ y }) => y)) + 100)
})

test('a transparent background stays transparent, an opaque one needs no alpha, and text contrasts with either', async () => {
  const [clear, white, dark] = [
    await draw({ data: 'a,1', background: 'transparent' }),
    await draw({ data: 'a,1', title: 'Title' }),
    await draw({ data: 'a,1', title: 'Title', background: '#101010' }),
  ]
  assert.deepEqual([clear.channels, pixelAt(clear, 2, 2)[3]], [4, 0])
  assert.deepEqual([white.channels, pixelAt(white, 2, 2)], [3, [255, 255, 255]])
  const lumas = (pixels: Pixels) =>
    Array.from({ length: 60 * 40 }, (_, at) => pixelAt(pixels, 15 + (at % 60), 10 + Math.floor(at / 60))[1] ?? 0)
  assert.ok(Math.min(...lumas(white)) < 90)
  assert.ok(Math.max(...lumas(dark)) > 200)
})

test('draws names with a meaning in JavaScript as names, without an effect on the next chart', async () => {
  const plain = { data: 'next,1\nvalue,2\nkey,3', title: 'value' }
  const before = await draw(plain)
  const names = [...Object.getOwnPropertyNames(Object.prototype), '{value|x}', '{b}', '<b>', '\u0000', '😀']
  for (const kind of ['bar', 'line', 'pie', 'donut', 'area']) {
    const isPie = kind === 'pie' || kind === 'donut'
    const values = names.map((_, at) => at + 1)
    const series = isPie ? [{ values }] : names.slice(0, 5).map((name) => ({ name, values }))
    for (const title of ['__proto__', '{a|constructor}']) {
      const pixels = await draw({
        kind,
        labels: names,
        series,
        title,
        subtitle: title,
        legend: 'top',
        showValues: true,
      })
      assert.equal(pixels.width, 400)
    }
  }
  assert.ok((await draw(plain)).data.equals(before.data))
})

test('draws the smallest image and the maximum number of points', async () => {
  assert.equal((await draw({ width: 80, height: 80, data: 'a,1\nb,2' })).width, 80)
  const values = Array.from({ length: limits.chartPointsMax }, (_, at) => Math.sin(at / 9))
  const series = [
    { name: 'a', values },
    { name: 'b', values },
  ]
  for (const kind of ['bar', 'line', 'area']) assert.equal((await draw({ kind, series, stacked: true })).height, 300)
})

const refused: [string, Record<string, unknown>, FailureReason, RegExp][] = [
  ['two series in a pie', { kind: 'pie', data: 'a,1,2' }, 'input_invalid', /one series, not 2/],
  ['a slice below 0', { kind: 'donut', data: 'a,1\nb,-2' }, 'input_invalid', /-2/],
  ['only zeros', { kind: 'pie', data: 'a,0\nb,0' }, 'input_invalid', /are 0/],
  ['a scatter of names', { kind: 'scatter', data: 'a,1\nb,2' }, 'input_invalid', /"a" is not a number/],
  [
    'a minimum above the maximum',
    { data: 'a,1', min: 5, max: 5 },
    'input_invalid',
    /"max" must be greater than "min" \(5\), not 5/,
  ],
  [
    'no room',
    { width: 80, height: 80, title: 'Title', subtitle: 'More', data: 'a,1' },
    'input_invalid',
    /80 x 80 has no room/,
  ],
  ['an unknown font', { data: 'a,1', font: 'Comic' }, 'input_invalid', /Font "Comic" was not found/],
  ['too many pixels', { width: 1_001, height: 1_000, data: 'a,1' }, 'limit_exceeded', /1001 x 1000/],
]

for (const [name, params, reason, message] of refused) {
  test(`rejects a chart with ${name} as ${reason}`, async () => {
    const context = contextFor({ pixelsMax: 1_000_000 })
    await assert.rejects(runOn(chart, {}, { width: 400, height: 300, ...params }, context), (error) => {
      assert.ok(error instanceof Fault && error.details.reason === reason, String(error))
      assert.match(error.message, message)
      return true
    })
  })
}

test('rejects literal problems when the workflow is saved', () => {
  const check = (params: Record<string, unknown>) => checker(chart.params)(params).map(({ message }) => message)
  assert.match(String(check({})), /"data", "series"/)
  assert.match(String(check({ data: 'a,1', series: [{ values: [1] }] })), /"data" or "series"/)
  assert.match(String(check({ data: 'a,1', labels: ['a'] })), /"data" or "labels"/)
  assert.equal(check({ data: 'a'.repeat(limits.chartDataCharsMax) }).length, 0)
  assert.equal(check({ data: 'a'.repeat(limits.chartDataCharsMax + 1) }).length, 1)
  assert.equal(check({ series: Array(limits.chartSeriesMax + 1).fill({ values: [1] }) }).length, 1)
  assert.equal(check({ data: 'a,1', width: limits.chartSidePixelsMax, height: limits.chartSidePixelsMax }).length, 0)
  assert.equal(check({ data: 'a,1', width: limits.chartSidePixelsMax + 1 }).length, 1)
  assert.equal(check({ series: [{ values: Array(limits.chartPointsMax + 1).fill(1) }] }).length, 1)
})

function isColor(pixels: Pixels, x: number, y: number, color: number[]): boolean {
  return pixelAt(pixels, x, y)
    .slice(0, 3)
    .every((value, at) => value === color[at])
}

function marks(pixels: Pixels): { x: number; y: number }[] {
  return Array.from({ length: pixels.width * pixels.height }, (_, at) => ({
    x: at % pixels.width,
    y: Math.floor(at / pixels.width),
  }))
}

function count(pixels: Pixels, color: number[]): number {
  return marks(pixels).filter(({ x, y }) => isColor(pixels, x, y, color)).length
}

function columnsOf(pixels: Pixels, color: number[]): number[] {
  // Without the mark of the legend.
  return [
    ...new Set(
      marks(pixels)
        .filter(({ x, y }) => y > 80 && isColor(pixels, x, y, color))
        .map(({ x }) => x),
    ),
  ].sort((a, b) => a - b)
}

function rowsOf(pixels: Pixels, color: number[], from: number, to: number): number[] {
  return marks(pixels)
    .filter(({ x, y }) => x >= from && x < to && isColor(pixels, x, y, color))
    .map(({ y }) => y)
}

/** Heights of the bars of one colour, from the left, each in its middle. */
function runsOf(pixels: Pixels, color: number[]): number[] {
  const columns = columnsOf(pixels, color)
  const groups: number[][] = []
  for (const x of columns) {
    if (groups.at(-1)?.at(-1) === x - 1) groups.at(-1)?.push(x)
    else groups.push([x])
  }
  return groups.map(
    (group) => rowsOf(pixels, color, group[group.length >> 1] ?? 0, (group[group.length >> 1] ?? 0) + 1).length,
  )
}

function reddish(pixels: Pixels): { x: number; y: number }[] {
  return marks(pixels).filter(({ x, y }) => {
    const [r = 0, g = 0, b = 0] = pixelAt(pixels, x, y)
    return r > 200 && g < 120 && b < 120
  })
}
