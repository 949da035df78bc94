/** The axes of a chart: their labels, and how many fit. */
import type { Rectangle } from '../raster/region.ts'
import { font, type Theme } from './chart-frame.ts'
import { namesBelow, truncateLabel, wrapLabel } from './chart-labels.ts'
import { type ChartStyle, formatter } from './chart-style.ts'

export function axesOf(style: ChartStyle, theme: Theme, plot: Rectangle): { xAxis: object; yAxis: object } {
  const { kind, horizontal, fontSize: em } = style
  const upright = kind === 'scatter' ? numbersBelow(style, theme, plot) : undefined
  const below =
    style.xTitle === '' ? {} : titled(theme, em, { name: style.xTitle, nameLocation: 'middle', nameGap: 0.7 * em })
  const beside = style.yTitle === '' ? {} : titled(theme, em, { ...besideTitle, name: style.yTitle })
  if (kind === 'bar' && horizontal) {
    return {
      xAxis: { ...values(style, theme, { ...plot, along: 'x' }), ...below },
      yAxis: { ...namesBeside(style, theme, plot), ...beside },
    }
  }
  return {
    xAxis: { ...(upright ?? names(style, theme, plot)), ...below },
    yAxis: { ...values(style, theme, { ...plot, along: 'y' }), ...beside },
  }
}

/** Vertical, along the axis. */
const besideTitle = { nameLocation: 'middle', nameRotate: 90 }

function titled(theme: Theme, em: number, place: object) {
  return { nameGap: 0.9 * em, ...place, nameTextStyle: { ...font(theme.regular, em), color: theme.ink(0.66) } }
}

function values(style: ChartStyle, theme: Theme, plot: Rectangle & { along: 'x' | 'y' }): object {
  const { kind, fontSize: em, gridLines, min, max } = style
  const format = formatter(style)
  // Distance between labels: a few lines, or a few widths of the longest number.
  const all = style.data.series.flatMap((series) => series.values.filter((value) => value !== null))
  const widest = Math.max(...[Math.min(...all), Math.max(...all)].map((value) => theme.widthOf(format(value), em)))
  const steps = plot.along === 'y' ? plot.height / (4 * em) : plot.width / (widest + 3.5 * em)
  return {
    type: 'value',
    // Bars and areas show their value by length, so their axis starts at 0; lines and points show it by position.
    scale: kind === 'line' || kind === 'scatter',
    splitNumber: Math.max(2, Math.min(6, Math.round(steps))),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: gridLines, lineStyle: { color: theme.ink(0.12), width: em / 13 } },
    axisLabel: { ...labelStyle(theme, em), formatter: (value: number) => format(value), hideOverlap: true },
  }
}

/** An axis for points: numbers along the bottom too, but no wider than necessary. */
function numbersBelow(style: ChartStyle, theme: Theme, plot: Rectangle): object {
  const plain = { ...style, prefix: '', suffix: '', min: undefined, max: undefined }
  return {
    ...values(plain, theme, { ...plot, along: 'x' }),
    axisLine: { show: true, onZero: false, ...axisLine(style, theme) },
  }
}

function names(style: ChartStyle, theme: Theme, plot: Rectangle): object {
  const { kind, fontSize: em, data } = style
  const format = formatter(style)
  const numbers = data.series.flatMap((series) => series.values.map((value) => theme.widthOf(format(value ?? 0), em)))
  const width = plot.width - Math.max(...numbers) - em
  const { texts, rotate, all } = namesBelow(data.labels, {
    ...plot,
    width,
    fontSize: em,
    widthOf: (text) => theme.widthOf(text, em),
  })
  const edge = kind === 'bar' ? {} : { alignMinLabel: 'left', alignMaxLabel: 'right' }
  return {
    type: 'category',
    data: texts,
    // Numbers at the first point would overlap those of the axis.
    boundaryGap: kind === 'bar' || data.labels.length === 1 || style.showValues,
    axisTick: { show: false },
    axisLine: { onZero: false, ...axisLine(style, theme) },
    axisLabel: {
      ...labelStyle(theme, em),
      rotate,
      ...(rotate === 0 && !all ? edge : {}),
      ...(all ? { interval: 0 } : {}),
    },
  }
}

/** The first at the top, in reading order. */
function namesBeside(style: ChartStyle, theme: Theme, plot: Rectangle): object {
  const { fontSize: em, data } = style
  const widthOf = (text: string) => theme.widthOf(text, em)
  const slot = plot.height / data.labels.length
  const lines = Math.max(1, Math.min(2, Math.floor(slot / (1.3 * em))))
  const width = plot.width * 0.35
  return {
    type: 'category',
    inverse: true,
    data: data.labels.map((name) =>
      lines === 1 ? truncateLabel(name, width, widthOf) : wrapLabel(name, width, lines, widthOf),
    ),
    axisTick: { show: false },
    axisLine: { onZero: false, ...axisLine(style, theme) },
    axisLabel: { ...labelStyle(theme, em), ...(slot >= 1.15 * em ? { interval: 0 } : {}) },
  }
}

function axisLine({ fontSize: em }: ChartStyle, theme: Theme) {
  return { lineStyle: { color: theme.ink(0.3), width: em / 13 } }
}

function labelStyle(theme: Theme, em: number) {
  return { ...font(theme.regular, em), color: theme.ink(0.72), margin: 0.7 * em }
}
