/** Converts a chart style to ECharts options. No input of a caller becomes an option or a function here. */
import type { EChartsCoreOption } from 'echarts/core'
import { axesOf } from './chart-axes.ts'
import { frameOf, type Theme } from './chart-frame.ts'
import { axisSeries, pieSeries } from './chart-series.ts'
import type { ChartStyle } from './chart-style.ts'

export function optionsOf(style: ChartStyle, theme: Theme): EChartsCoreOption {
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
    return { ...common, series: [{ ...pieSeries(style, theme, plot), ...box }] }
  }
  return {
    ...common,
    // The axes with their names lie inside the box.
    grid: { ...box, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    ...axesOf(style, theme, plot),
    series: axisSeries(style, theme, plot),
  }
}
