/** Escapes text for the chart library. */
import type { ChartStyle } from './chart-style.ts'
import { unsplit } from './emoji-font.ts'

/**
 * The library caches widths of text in plain objects, in which `__proto__` and `constructor` are special: one such
 * label breaks every later chart. An invisible word joiner makes them different words.
 */
export function escapeChartText(style: ChartStyle): ChartStyle {
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
