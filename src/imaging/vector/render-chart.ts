/** Renders charts to pixels with ECharts on a canvas, without a browser. Its layout has no pause, so it runs in text-child.ts only. */

import type { EChartsCoreOption } from 'echarts/core'
import { solidColor } from '../raster/draw/fill.ts'
import { compositeOver } from '../raster/layer/over.ts'
import type { Rectangle } from '../raster/region.ts'
import type { ImagingContext, Pixels } from '../types.ts'
import { loadCanvas } from './canvas.ts'
import { axesOf } from './chart-axes.ts'
import { type ChartFonts, createChartFonts } from './chart-fonts.ts'
import { frameOf, type Theme } from './chart-frame.ts'
import { axisSeries, pieSeries } from './chart-series.ts'
import { type ChartStyle, chartWeights, formatter } from './chart-style.ts'
import { unsplit } from './emoji-font.ts'
import { type FontContext, facesFor } from './fonts.ts'
import { reportMissing } from './missing-glyphs.ts'
import { familyList } from './text-style.ts'

export interface DrawnChart {
  pixels: Pixels
  /** The area of the plot with its axes, without title and legend. */
  plot: Rectangle
}

export async function renderChart(
  style: ChartStyle,
  context: FontContext & Pick<ImagingContext, 'signal' | 'secondsLeft'>,
): Promise<DrawnChart> {
  const [{ createCanvas }, { init }] = await Promise.all([loadCanvas(), loadCharts()])
  const { width, height, color } = style
  const request = { font: style.font, italic: false, language: 'auto' as const }
  const text = textOf(style)
  const [plain, strong] = chartWeights(style)
  const regular = await facesFor(text, { ...request, weight: plain }, context)
  const bold = await facesFor(text, { ...request, weight: strong }, context).catch((error: unknown) => {
    regular.release()
    throw error
  })
  try {
    reportMissing(regular.missing, 'warn', context)
    const fonts = createChartFonts(createCanvas(1, 1).getContext('2d'), [regular, bold])
    const theme = themeOf(regular.names, bold.names, color, fonts)
    await fonts.widthsOf(`${style.fontSize}px ${theme.regular}`).prepare(text, context.signal)
    const canvas = createCanvas(width, height)
    fonts.useFor(canvas.getContext('2d'))
    // The library only calls getContext on it.
    const chart = init(canvas as never, null, { width, height, devicePixelRatio: 1 })
    try {
      const plot = withFonts(fonts, () => {
        const { options, plot } = optionsOf(escapeChartText(style), theme)
        chart.setOption(options)
        chart.getZr().flush()
        return plot
      })
      const image = await solidColor(width, height, style.background, context)
      const layer = { data: canvas.data(), width, height, channels: 4 as const, premultiplied: true }
      await compositeOver(image, layer, { x: 0, y: 0, opacity: 1 }, { x: 0, y: 0, width, height })
      return { pixels: image, plot }
    } finally {
      chart.dispose()
    }
  } finally {
    regular.release()
    bold.release()
  }
}

type Charts = typeof import('echarts/core')

let loading: Promise<Charts> | undefined

function loadCharts(): Promise<Charts> {
  loading ??= setUp()
  return loading
}

/** Fonts of the chart that is being drawn: the library measures the same texts again. Drawing has no pause. */
let drawing: ChartFonts | undefined

function withFonts<Result>(fonts: ChartFonts, draw: () => Result): Result {
  drawing = fonts
  try {
    return draw()
  } finally {
    drawing = undefined
  }
}

/** Loads the library as a single file, which takes 0.2 s: the modules in use are 600 files and take 1 to 2 s. */
async function setUp(): Promise<Charts> {
  const { createCanvas } = await loadCanvas()
  const { default: charts } = await import('echarts/dist/echarts.min.js')
  const pen = createCanvas(1, 1).getContext('2d')
  charts.setPlatformAPI({
    createCanvas: () => createCanvas(1, 1) as never,
    measureText(text, font) {
      if (font !== undefined) pen.font = font
      return drawing ? { width: drawing.widthsOf(pen.font).of(text) } : pen.measureText(text)
    },
  })
  return charts
}

function themeOf(
  regular: string[],
  bold: string[],
  { r, g, b, alpha }: ChartStyle['color'],
  { widthsOf }: ChartFonts,
): Theme {
  const [plain, strong] = [familyList(regular), familyList(bold)]
  return {
    regular: plain,
    bold: strong,
    ink: (share) => `rgba(${r}, ${g}, ${b}, ${alpha * share})`,
    widthOf: (text, size, isBold = false) => widthsOf(`${size}px ${isBold ? strong : plain}`).of(text),
  }
}

/** All characters that may be drawn, to find fonts for them. */
function textOf(style: ChartStyle): string {
  const { title, subtitle, xTitle, yTitle, prefix, suffix, data } = style
  const names = [...data.labels, ...data.series.map(({ name }) => name)]
  return [
    title,
    subtitle,
    xTitle,
    yTitle,
    prefix,
    suffix,
    ...names,
    ' 0123456789.,%()/KMBT…\u2212\u202f\u2060',
    formatter(style)(0),
  ].join(' ')
}

/** Converts a chart style to ECharts options. No input of a caller becomes an option or a function here. */
function optionsOf(style: ChartStyle, theme: Theme): { options: EChartsCoreOption; plot: Rectangle } {
  const { title, legend, plot } = frameOf(style, theme)
  const common = {
    animation: false,
    color: style.colors,
    textStyle: { fontFamily: theme.regular, fontSize: style.fontSize, color: theme.ink(1) },
    title,
    legend,
  }
  const { width, height } = style
  const box = { left: plot.x, top: plot.y, right: width - plot.x - plot.width, bottom: height - plot.y - plot.height }
  if (style.kind === 'pie' || style.kind === 'donut') {
    return { plot, options: { ...common, series: [{ ...pieSeries(style, theme, plot), ...box }] } }
  }
  const options = {
    ...common,
    // The axes with their names lie inside the box.
    grid: { ...box, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    ...axesOf(style, theme, plot),
    series: axisSeries(style, theme, plot),
  }
  return { plot, options }
}

/**
 * The library caches widths of text in plain objects, in which `__proto__` and `constructor` are special: one such
 * label breaks every later chart. An invisible word joiner makes them different words.
 */
function escapeChartText(style: ChartStyle): ChartStyle {
  const { title, subtitle, xTitle, yTitle, prefix, suffix, data } = style
  return {
    ...style,
    title: plainWords(title),
    subtitle: plainWords(subtitle),
    xTitle: plainWords(xTitle),
    yTitle: plainWords(yTitle),
    prefix: plainWords(prefix),
    suffix: plainWords(suffix),
    data: {
      labels: data.labels.map(plainWords),
      series: data.series.map((series) => ({ ...series, name: plainWords(series.name) })),
    },
  }
}

const names = new RegExp(Object.getOwnPropertyNames(Object.prototype).join('|'), 'g')

function plainWords(text: string): string {
  return unsplit(text).replaceAll(names, (name) => `${name.slice(0, 1)}\u2060${name.slice(1)}`)
}
