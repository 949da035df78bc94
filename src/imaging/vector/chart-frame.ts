/** Title and legend of a chart, and the space that they leave for the plot. */
import { failure } from '../../errors.ts'
import type { Rectangle } from '../raster/region.ts'
import { truncateLabel, wrapLabel } from './chart-labels.ts'
import type { ChartStyle } from './chart-style.ts'

/** Fonts and colours in the notation of the canvas. */
export interface Theme {
  regular: string
  bold: string
  /** The text colour with this opacity. */
  ink(alpha: number): string
  widthOf(text: string, size: number, bold?: boolean): number
}

export function frameOf(style: ChartStyle, theme: Theme) {
  const { width, height, fontSize: em } = style
  const pad = 1.6 * em
  const title = titleOf(style, theme, width - 2 * pad)
  const plot: Rectangle = {
    x: pad,
    y: pad + title.height,
    width: width - 2 * pad,
    height: height - 2 * pad - title.height,
  }
  const rest = withLegend(style, theme, plot)
  if (Math.min(rest.plot.width, rest.plot.height) < 3 * em) {
    throw failure(
      'input_invalid',
      `A chart of ${width} x ${height} has no room for its title and legend at a font size of ${em} px. Increase the size or reduce fontSize.`,
    )
  }
  return { title: { ...title.options, left: pad, top: pad, padding: 0 }, ...rest }
}

function titleOf({ title, subtitle, fontSize: em }: ChartStyle, theme: Theme, width: number) {
  const text = wrapLabel(title, width, 2, (line) => theme.widthOf(line, 1.45 * em, true))
  const subtext = wrapLabel(subtitle, width, 2, (line) => theme.widthOf(line, em))
  const lines = (block: string, height: number) => (block === '' ? 0 : block.split('\n').length * height)
  const height = lines(text, 1.8 * em) + lines(subtext, 1.4 * em)
  return {
    height: height === 0 ? 0 : height + 0.7 * em,
    options: {
      show: height > 0,
      text,
      subtext,
      itemGap: 0,
      textStyle: { ...font(theme.bold, 1.45 * em, 1.8 * em), color: theme.ink(1) },
      subtextStyle: { ...font(theme.regular, em, 1.4 * em), color: theme.ink(0.66) },
    },
  }
}

/** The line height is set because the library would otherwise measure a character that some fonts lack. */
export function font(fontFamily: string, fontSize: number, lineHeight = fontSize * 1.25) {
  return { fontFamily, fontSize, lineHeight, fontWeight: 'normal' as const }
}

function withLegend(style: ChartStyle, theme: Theme, room: Rectangle): { legend: object; plot: Rectangle } {
  const place = legendPlace(style)
  if (place === 'none') return { legend: { show: false }, plot: room }
  const em = style.fontSize
  const isPie = style.kind === 'pie' || style.kind === 'donut'
  const names = isPie ? style.data.labels : style.data.series.map(({ name }) => name)
  const [mark, markGap, gap] = [0.85 * em, 0.45 * em, 1.2 * em]
  const textMax = place === 'right' ? room.width * 0.3 : room.width - mark - markGap
  const shorten = (name: string) => truncateLabel(name, textMax, (text) => theme.widthOf(text, em))
  const widths = names.map((name) => mark + markGap + theme.widthOf(shorten(name), em))
  const options = {
    data: names.map((name) => ({ name })),
    icon: style.kind === 'bar' || isPie ? 'roundRect' : 'circle',
    itemWidth: mark,
    itemHeight: mark,
    itemGap: gap,
    padding: 0,
    formatter: shorten,
    selectedMode: false,
    textStyle: { ...font(theme.regular, em, em), padding: [0, 0, 0, markGap - 5], color: theme.ink(0.82) },
  }
  if (place === 'right') {
    const width = Math.max(...widths) + 0.5 * em
    return {
      legend: {
        ...options,
        itemGap: 0.75 * em,
        orient: 'vertical',
        right: style.width - room.x - room.width,
        top: room.y + em / 2,
      },
      plot: { ...room, width: room.width - width - 1.2 * em },
    }
  }
  // The library uses the same gap for rows and entries.
  const rows = rowsOf(widths, gap, room.width)
  const height = rows * em + (rows - 1) * gap
  const legend = { ...options, left: room.x, width: room.width }
  const plot = { ...room, height: room.height - height - 1.2 * em }
  if (place === 'bottom') return { legend: { ...legend, top: room.y + room.height - height }, plot }
  return { legend: { ...legend, top: room.y }, plot: { ...plot, y: room.y + height + 1.2 * em } }
}

/** A pie has names next to its slices, and a single series is named by the title. */
function legendPlace({ kind, legend, data }: ChartStyle): Exclude<ChartStyle['legend'], 'auto'> {
  if (legend !== 'auto') return legend
  return kind === 'pie' || kind === 'donut' || data.series.length === 1 ? 'none' : 'top'
}

/** Number of rows for entries of these widths. */
function rowsOf(widths: number[], gap: number, width: number): number {
  let [rows, x] = [1, 0]
  for (const entryWidth of widths) {
    if (x > 0 && x + entryWidth > width) [rows, x] = [rows + 1, 0]
    x += entryWidth + gap
  }
  return rows
}
