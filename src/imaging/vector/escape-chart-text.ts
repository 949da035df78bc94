/** Texts that the library must not be given as they are. */
import type { ChartStyle } from './chart-style.ts'

/**
 * It remembers the widths of texts in plain objects, in which `__proto__` and `constructor` are no texts: one such label
 * breaks every chart that follows. A word joiner, which nobody sees, makes other words of them.
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
  return text.replaceAll(names, (name) => `${name.slice(0, 1)}\u2060${name.slice(1)}`)
}
