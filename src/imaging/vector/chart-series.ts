/** The bars, lines, points and slices of a chart. */
import { parseColor } from '../raster/color.ts'
import type { Rectangle } from '../raster/region.ts'
import { font, type Theme } from './chart-frame.ts'
import { wrapLabel } from './chart-labels.ts'
import { type ChartStyle, formatter } from './chart-style.ts'

export function axisSeries(style: ChartStyle, theme: Theme, plot: Rectangle): object[] {
  const { data } = style
  const zero = zeroLine(style, theme)
  return data.series.map(({ name, values }, at) => ({
    name,
    ...looks[style.kind === 'scatter' ? 'scatter' : style.kind === 'bar' ? 'bar' : 'line'](style, theme, {
      values,
      at,
      plot,
    }),
    ...(at === 0 ? { markLine: zero } : {}),
    silent: true,
  }))
}

type Values = (number | null)[]
type Look = (style: ChartStyle, theme: Theme, series: { values: Values; at: number; plot: Rectangle }) => object

const looks: Record<'bar' | 'line' | 'scatter', Look> = {
  bar(style, theme, { values, at, plot }) {
    const { fontSize: em, stacked, horizontal, data } = style
    const isOuter = !stacked || at === data.series.length - 1
    const radius = isOuter ? 0.3 * em : 0
    return {
      type: 'bar',
      ...(stacked ? { stack: 'all' } : {}),
      data: values.map((value) => ({
        value: value ?? '-',
        itemStyle: { borderRadius: corners(radius, value ?? 0, horizontal) },
      })),
      barMaxWidth: 5 * em,
      barGap: '8%',
      barCategoryGap: values.length > 24 ? '16%' : '34%',
      label: stacked ? insideLabel(style, theme, at) : barLabel(style, theme, values, plot),
      labelLayout: { hideOverlap: true },
    }
  },
  line(style, theme, { values, at }) {
    const { kind, fontSize: em, stacked, smooth } = style
    const color = colorAt(style, at)
    return {
      type: 'line',
      ...(stacked ? { stack: 'all' } : {}),
      data: values.map((value) => value ?? '-'),
      smooth: smooth ? 0.35 : false,
      smoothMonotone: 'x',
      showSymbol: values.length <= 24,
      symbol: 'circle',
      symbolSize: 0.55 * em,
      lineStyle: { width: 0.19 * em, cap: 'round', join: 'round' },
      ...(kind === 'area' ? { areaStyle: stacked ? { color, opacity: 0.55 } : { color: fading(color) } } : {}),
      label: { ...outsideLabel(style, theme), position: 'top' },
      labelLayout: { hideOverlap: true },
    }
  },
  scatter(style, theme, { values, at }) {
    const { fontSize: em, data } = style
    return {
      type: 'scatter',
      data: values.flatMap((value, point) => (value === null ? [] : [[Number(data.labels[point]), value]])),
      symbolSize: 0.75 * em,
      itemStyle: { color: colorAt(style, at), opacity: 0.8 },
      label: { ...outsideLabel(style, theme, 1), position: 'top' },
      labelLayout: { hideOverlap: true },
    }
  },
}

export function pieSeries(style: ChartStyle, theme: Theme, plot: Rectangle): object {
  const { kind, data, fontSize: em, legend, showValues } = style
  const values = data.series[0]?.values ?? []
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const share = formatter({ ...style, compact: false, decimals: undefined, prefix: '', suffix: '\u202f%' })
  const format = formatter(style)
  const isNamed = legend === 'auto' || legend === 'none'
  const fitsLabels = plot.width / 2 - (0.72 * Math.min(plot.width, plot.height)) / 2 > (isNamed ? 5 : 2.8) * em
  const outer = fitsLabels ? 0.72 : 1
  const radius = (outer * Math.min(plot.width, plot.height)) / 2
  const room = plot.width / 2 - radius - 2.4 * em
  const ground = style.background.alpha > 0 ? rgba(style.background) : 'transparent'
  return {
    type: 'pie',
    radius: [kind === 'donut' ? `${outer * 62}%` : 0, `${outer * 100}%`],
    data: values.map((value, at) => ({ value: value ?? 0, name: data.labels[at] })),
    silent: true,
    // The library fails for slices without a label to hide.
    ...(fitsLabels ? { minShowLabelAngle: 2 } : {}),
    percentPrecision: 1,
    itemStyle: { borderColor: ground, borderWidth: ground === 'transparent' ? 0 : 0.16 * em, borderRadius: 0.25 * em },
    labelLine: {
      show: fitsLabels,
      length: 0.9 * em,
      length2: 0.6 * em,
      lineStyle: { color: theme.ink(0.35), width: em / 13 },
    },
    label: {
      show: fitsLabels,
      ...font(theme.regular, em),
      formatter: ({ name, value }: { name: string; value: number }) => {
        const label = showValues ? format(value) : share(Math.round((value / total) * 1_000) / 10)
        const lines = isNamed ? `${wrapLabel(plain(name), room, 2, (text) => theme.widthOf(text, em))}\n` : ''
        return `${lines}{value|${plain(label)}}`
      },
      color: theme.ink(0.82),
      rich: { value: { ...font(theme.bold, em), color: theme.ink(1) } },
    },
  }
}

/** Characters with a meaning in rich text. */
function plain(text: string): string {
  return text.replaceAll('{', '(').replaceAll('}', ')').replaceAll('|', '/')
}

/** Round at the end of the bar, square at its start. Clockwise from the top left. */
function corners(radius: number, value: number, horizontal: boolean): number[] {
  if (horizontal) return value < 0 ? [radius, 0, 0, radius] : [0, radius, radius, 0]
  return value < 0 ? [0, 0, radius, radius] : [radius, radius, 0, 0]
}

/** Numbers wider than their bars are vertical; bars thinner than a line have none. */
function barLabel(style: ChartStyle, theme: Theme, values: Values, plot: Rectangle): object {
  const { horizontal, fontSize: em, data } = style
  const hasNegative = values.some((value) => value !== null && value < 0)
  const label = {
    ...outsideLabel(style, theme),
    position: hasNegative ? 'outside' : horizontal ? 'right' : 'top',
    distance: 0.35 * em,
  }
  const slot = ((horizontal ? plot.height : plot.width - 4 * em) / data.labels.length / data.series.length) * 0.8
  if (slot < em * 0.9) return { show: false }
  const widest = Math.max(...values.map((value) => theme.widthOf(formatter(style)(value ?? 0), em, true)))
  if (horizontal || hasNegative || widest <= slot * 1.2) return label
  return { ...label, rotate: 90, align: 'left', verticalAlign: 'middle' }
}

function outsideLabel(style: ChartStyle, theme: Theme, dimension?: number): object {
  const format = formatter(style)
  return {
    show: style.showValues,
    ...font(theme.bold, 0.95 * style.fontSize),
    color: theme.ink(0.85),
    formatter: ({ value }: { value: number | number[] }) =>
      format(Array.isArray(value) ? (value[dimension ?? 0] ?? 0) : value),
  }
}

/** Black or white, by contrast with the bar. */
function insideLabel(style: ChartStyle, theme: Theme, at: number): object {
  const { r, g, b } = parseColor(colorAt(style, at))
  const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return { ...outsideLabel(style, theme), position: 'inside', color: luma > 160 ? '#212529' : '#ffffff' }
}

/** Line at zero: with negative values, the axis is not at the edge. */
function zeroLine({ data, kind, horizontal, fontSize: em }: ChartStyle, theme: Theme): object {
  const isNeeded =
    kind !== 'scatter' && data.series.some(({ values }) => values.some((value) => value !== null && value < 0))
  return {
    silent: true,
    symbol: 'none',
    label: { show: false },
    lineStyle: { type: 'solid', color: theme.ink(0.45), width: em / 13 },
    data: isNeeded ? [kind === 'bar' && horizontal ? { xAxis: 0 } : { yAxis: 0 }] : [],
  }
}

function colorAt({ colors }: ChartStyle, at: number): string {
  return colors[at % colors.length] ?? '#000000'
}

function fading(color: string): object {
  const stop = (offset: number, share: number) => ({
    offset,
    color: rgba({ ...parseColor(color), alpha: share * parseColor(color).alpha }),
  })
  return { type: 'linear', x: 0, y: 0, x2: 0, y2: 1, colorStops: [stop(0, 0.34), stop(1, 0.04)] }
}

function rgba({ r, g, b, alpha }: { r: number; g: number; b: number; alpha: number }): string {
  return `rgba(${r}, ${g}, ${b}, ${alpha})`
}
