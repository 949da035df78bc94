/**
 * The style of a chart, independent of the library that draws it, which only render-chart.ts and its neighbours use.
 */
import type { Color } from '../raster/color.ts'
import type { ChartData } from './chart-data.ts'

export const chartKinds = ['bar', 'line', 'area', 'pie', 'donut', 'scatter'] as const
export const legends = ['auto', 'none', 'top', 'right', 'bottom'] as const
export const numberFormats = ['1,234.5', '1.234,5', '1 234,5', '1234.5'] as const

export interface ChartStyle {
  kind: (typeof chartKinds)[number]
  width: number
  height: number
  data: ChartData
  title: string
  subtitle: string
  xTitle: string
  yTitle: string
  colors: string[]
  color: Color
  background: Color
  legend: (typeof legends)[number]
  gridLines: boolean
  stacked: boolean
  horizontal: boolean
  smooth: boolean
  showValues: boolean
  min?: number | undefined
  max?: number | undefined
  numberFormat: (typeof numberFormats)[number]
  compact: boolean
  decimals?: number | undefined
  prefix: string
  suffix: string
  font: string
  /** Pixels; widths of lines and gaps scale with it. */
  fontSize: number
}

/** Default colours: distinguishable next to each other, also with most kinds of colour blindness. */
export const defaultColors = [
  '#4263eb',
  '#f76707',
  '#12b886',
  '#fab005',
  '#ae3ec9',
  '#15aabf',
  '#e64980',
  '#82c91e',
  '#7950f2',
  '#a9795a',
  '#495057',
  '#ff8787',
]

/** Formats a number for an axis or a bar. */
export function formatter(style: Pick<ChartStyle, 'numberFormat' | 'compact' | 'decimals' | 'prefix' | 'suffix'>) {
  const { numberFormat, compact, decimals, prefix, suffix } = style
  const format = new Intl.NumberFormat('en-US', {
    useGrouping: numberFormat !== '1234.5',
    ...(compact ? { notation: 'compact' as const } : {}),
    ...(decimals === undefined
      ? { maximumFractionDigits: compact ? 1 : 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  })
  const [group, point] = signs[numberFormat]
  return (value: number) => {
    const parts = format.formatToParts(Math.abs(value)).map(({ type, value }) => {
      return type === 'group' ? group : type === 'decimal' ? point : value
    })
    const digits = parts.join('')
    // U+2212: as wide and as high as a plus sign, unlike a hyphen.
    return `${value < 0 && /[1-9]/.test(digits) ? '\u2212' : ''}${prefix}${digits}${suffix}`
  }
}

/** Separators of thousands (narrow, no line break) and of decimals. */
const signs: Record<ChartStyle['numberFormat'], [string, string]> = {
  '1,234.5': [',', '.'],
  '1.234,5': ['.', ','],
  '1 234,5': ['\u202f', ','],
  '1234.5': ['', '.'],
}

/** Light text on a dark background looks bolder. */
export function chartWeights({ color }: ChartStyle): [regular: number, bold: number] {
  return lumaOf(color) > 128 ? [300, 500] : [400, 600]
}

function lumaOf({ r, g, b }: Color): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
