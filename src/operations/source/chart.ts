import Type from 'typebox'
import { failure } from '../../errors.ts'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { type ChartData, dataFromLists, dataFromText, headers } from '../../imaging/vector/chart-data.ts'
import { type ChartStyle, chartKinds, defaultColors, legends, numberFormats } from '../../imaging/vector/chart-style.ts'
import { cssColor } from '../../imaging/vector/css-color.ts'
import { limits } from '../../limits.ts'
import { defineOperation } from '../define.ts'
import { areaFrame, sizeBinds, sizeFrame } from '../shared/frames.ts'
import { color, font, pixels } from '../shared/params.ts'

const label = (options: { title: string; description: string; default?: string }) =>
  Type.String({ maxLength: limits.labelCharsMax, default: '', ...options })

const small = { width: 360, height: 240 }

export const chart = defineOperation({
  id: 'chart',
  version: 2,
  title: 'Chart',
  summary: 'Draws a bar, line, area, scatter, pie or donut chart.',
  keywords: ['graph', 'plot', 'diagram', 'bar', 'line', 'pie', 'donut', 'data', 'statistics'],
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      kind: Type.Enum([...chartKinds], {
        default: 'bar',
        title: 'Kind',
        description: 'Chart type. A pie and a donut need exactly one series; scatter needs a number for each label.',
      }),
      width: pixels({
        minimum: 80,
        maximum: limits.chartSidePixelsMax,
        default: 640,
        title: 'Width',
        description: 'Width of the image.',
      }),
      height: pixels({
        minimum: 80,
        maximum: limits.chartSidePixelsMax,
        default: 400,
        title: 'Height',
        description: 'Height of the image.',
      }),
      data: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.chartDataCharsMax,
          title: 'Data',
          description:
            'The numbers as text, instead of `labels` and `series`, so that one parameter or template can supply them: a line `label,value[,value]` for each point. Semicolons or tabs also separate values, and then decimal commas are allowed. The first line can name the series. An empty value is a gap; put labels that contain a comma in double quotes.',
          'x-widget': 'textarea',
        }),
      ),
      header: Type.Enum([...headers], {
        default: 'auto',
        title: 'Header',
        description:
          'Whether the first line of `data` names the series. auto: if it has no numbers; years as names need yes.',
      }),
      labels: Type.Optional(
        Type.Array(Type.String({ maxLength: limits.labelCharsMax }), {
          maxItems: limits.chartPointsMax,
          title: 'Labels',
          description: 'Names of the points, in order; for scatter, their horizontal positions. Default: 1, 2, 3...',
        }),
      ),
      series: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Type.Optional(
                Type.String({
                  minLength: 1,
                  maxLength: limits.labelCharsMax,
                  title: 'Name',
                  description: 'Name in the legend.',
                }),
              ),
              values: Type.Array(Type.Number({ minimum: -1e15, maximum: 1e15 }), {
                minItems: 1,
                maxItems: limits.chartPointsMax,
                title: 'Values',
                description: 'One number for each label.',
              }),
            },
            { additionalProperties: false },
          ),
          {
            minItems: 1,
            maxItems: limits.chartSeriesMax,
            title: 'Series',
            description: 'The series: a list of names, each with its values.',
          },
        ),
      ),
      title: label({ title: 'Title', description: 'Title of the chart.' }),
      subtitle: label({
        title: 'Subtitle',
        description: 'Text below the title, such as the unit and the source.',
      }),
      xTitle: label({ title: 'Horizontal title', description: 'Title of the horizontal axis.' }),
      yTitle: label({ title: 'Vertical title', description: 'Title of the vertical axis.' }),
      colors: Type.Array(color({ description: 'A colour.' }), {
        minItems: 1,
        maxItems: 24,
        default: defaultColors,
        title: 'Colours',
        description: 'Colours of the series, or of the slices of a pie; repeated if there are too few.',
      }),
      background: color({
        default: 'white',
        title: 'Background',
        description: 'Background colour; can be transparent.',
      }),
      color: Type.Optional(
        color({
          title: 'Text colour',
          description: 'Colour of text, axes and, lighter, grid lines. Default: dark, or light on a dark background.',
        }),
      ),
      legend: Type.Enum([...legends], {
        default: 'auto',
        title: 'Legend',
        description: 'Position of the legend. auto: at the top, if there are several series.',
      }),
      stacked: Type.Boolean({
        default: false,
        title: 'Stacked',
        description: 'Stack the series; for bar, line and area.',
      }),
      horizontal: Type.Boolean({
        default: false,
        title: 'Horizontal',
        description: 'Draw horizontal bars, with labels on the left.',
      }),
      smooth: Type.Boolean({ default: false, title: 'Smooth', description: 'Draw curved lines.' }),
      showValues: Type.Boolean({
        default: false,
        title: 'Show values',
        description: 'Show values at bars and points, and on slices instead of percentages.',
      }),
      gridLines: Type.Boolean({
        default: true,
        title: 'Grid lines',
        description: 'Draw grid lines at the numbers of an axis.',
      }),
      min: Type.Optional(
        Type.Number({
          minimum: -1e15,
          maximum: 1e15,
          title: 'Minimum',
          description: 'Minimum of the value axis. Default: 0 for bars and areas, automatic for lines and points.',
        }),
      ),
      max: Type.Optional(
        Type.Number({
          minimum: -1e15,
          maximum: 1e15,
          title: 'Maximum',
          description: 'Maximum of the value axis. Default: automatic.',
        }),
      ),
      prefix: Type.String({
        maxLength: 12,
        default: '',
        title: 'Prefix',
        description: 'Text before numbers, such as $ in $5.',
      }),
      suffix: Type.String({
        maxLength: 12,
        default: '',
        title: 'Suffix',
        description: 'Text after numbers, such as km in 5 km.',
      }),
      decimals: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 6,
          title: 'Decimals',
          description: 'Number of decimals. Default: as many as the values have, at most 2.',
        }),
      ),
      compact: Type.Boolean({
        default: false,
        title: 'Compact',
        description: 'Abbreviate large numbers, such as 1.2K or 3M.',
      }),
      numberFormat: Type.Enum([...numberFormats], {
        default: '1,234.5',
        title: 'Number format',
        description: 'Thousands and decimal separators.',
      }),
      font: font(),
      fontSize: Type.Optional(
        Type.Number({
          minimum: 6,
          maximum: 100,
          title: 'Font size',
          description:
            'Font size of the labels; titles, lines and gaps scale with it. Default: from the size of the image.',
          'x-unit': 'px',
        }),
      ),
    },
    {
      additionalProperties: false,
      anyOf: [{ required: ['data'] }, { required: ['series'] }],
      allOf: [{ not: { required: ['data', 'series'] } }, { not: { required: ['data', 'labels'] } }],
    },
  ),
  outputs: {
    image: 'The chart.',
    drawn: { plot: 'The plot with its axes, without title and legend.', size: 'The result.' },
  },
  alpha: 'made',
  frames: 'none',
  deterministic: true,
  reads: { fonts: true },
  examples: [
    {
      name: 'bars',
      params: {
        ...small,
        title: 'Cups a day',
        subtitle: 'Mean of twelve offices',
        data: 'Mon,42\nTue,51\nWed,64\nThu,58\nFri,37',
        showValues: true,
      },
    },
    {
      name: 'two lines',
      params: {
        ...small,
        kind: 'line',
        title: 'Visitors',
        header: 'yes',
        data: 'Month,2025,2026\nJan,1200,1900\nFeb,1450,2100\nMar,1380,2600\nApr,1720,2450\nMay,2010,3100\nJun,1890,3400',
        smooth: true,
      },
    },
    {
      name: 'an area on dark',
      params: {
        ...small,
        kind: 'area',
        title: 'Load',
        suffix: '%',
        background: '#16181d',
        colors: ['#22b8cf'],
        labels: ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
        series: [{ name: 'Load', values: [12, 8, 15, 46, 71, 64, 52, 30] }],
        smooth: true,
      },
    },
    {
      name: 'a donut',
      params: {
        ...small,
        kind: 'donut',
        title: 'Where they come from',
        data: 'Search,48\nNewsletter,22\nSocial media,17\nDirect,13',
      },
    },
    {
      name: 'lying bars with long names',
      params: {
        ...small,
        title: 'Turnover by region',
        horizontal: true,
        prefix: '€',
        compact: true,
        showValues: true,
        colors: ['#0ca678'],
        data: 'Northern Europe and the Baltic states,4200000\nCentral Europe,3150000\nMediterranean,2480000\nOverseas,940000',
      },
    },
    {
      name: 'stacked bars',
      params: {
        ...small,
        title: 'Orders',
        stacked: true,
        data: 'Quarter,Shop,Web,Phone\nQ1,120,90,30\nQ2,132,120,28\nQ3,101,160,25\nQ4,134,210,20',
      },
    },
    {
      name: 'points',
      params: {
        ...small,
        kind: 'scatter',
        title: 'Height and weight',
        xTitle: 'Height in cm',
        yTitle: 'Weight in kg',
        data: 'x,Women,Men\n158,52,\n162,57,\n165,61,\n168,60,\n171,66,\n174,,72\n177,,78\n180,,77\n184,,85\n188,,90\n170,,69',
      },
    },
    {
      name: 'a pie',
      params: {
        ...small,
        kind: 'pie',
        data: 'Coffee;40,5\nTea;25\nWater;20\nJuice;9,5\nOther;5',
        font: 'Lora',
      },
    },
    {
      name: 'gains and losses',
      params: {
        ...small,
        title: 'Result',
        yTitle: 'Million euro',
        numberFormat: '1.234,5',
        data: 'Jan;12,5\nFeb;-4,2\nMar;8\nApr;15,1\nMay;-7,5\nJun;3',
        showValues: true,
        background: 'transparent',
      },
    },
  ],

  async run(_, { data, header, labels, series, ...params }, context) {
    const { width, height } = params
    checkSize(width, height, context.pixelsMax)
    const numbers = data === undefined ? dataFromLists(labels ?? [], series ?? []) : dataFromText(data, header)
    checkData(params.kind, numbers)
    if (params.min !== undefined && params.max !== undefined && params.min >= params.max) {
      throw failure('input_invalid', `"max" must be greater than "min" (${params.min}), not ${params.max}.`)
    }
    const background = parseColor(params.background)
    const style: ChartStyle = {
      ...params,
      data: numbers,
      min: params.min,
      max: params.max,
      decimals: params.decimals,
      background,
      color: params.color === undefined ? textOn(background) : parseColor(params.color),
      colors: params.colors.map(cssColor),
      fontSize: params.fontSize ?? fittingSize(width, height),
    }
    // Loaded with the first chart, so that the service starts without it.
    const { drawChart } = await import('../../imaging/vector/text-processes.ts')
    const { pixels: image, plot } = await drawChart(style, context)
    return {
      image: imageFromPixels(image),
      drawn: [areaFrame('plot', 'box', 'result', plot), sizeFrame({ width, height }, sizeBinds)],
    }
  },
})

function checkData(kind: ChartStyle['kind'], { labels, series }: ChartData): void {
  if (kind === 'scatter') {
    const wrong = labels.find((text) => text.trim() === '' || !Number.isFinite(Number(text)))
    if (wrong === undefined) return
    throw failure(
      'input_invalid',
      `The label "${wrong}" is not a number. A scatter chart requires numbers as labels: they are the horizontal positions.`,
    )
  }
  if (kind !== 'pie' && kind !== 'donut') return
  if (series.length > 1)
    throw failure('input_invalid', `A chart of the kind "${kind}" requires exactly one series, not ${series.length}.`)
  const values = series.flatMap(({ values }) => values.map((value) => value ?? 0))
  const below = values.find((value) => value < 0)
  if (below !== undefined)
    throw failure('input_invalid', `A chart of the kind "${kind}" can't show ${below}. All values must be at least 0.`)
  if (values.every((value) => value === 0))
    throw failure(
      'input_invalid',
      `All values of the chart are 0. A chart of the kind "${kind}" requires a value greater than 0.`,
    )
}

/** Text colour on an opaque colour; an almost transparent one counts as white. */
function textOn({ r, g, b, alpha }: Color): Color {
  const isDark = alpha > 0.5 && 0.2126 * r + 0.7152 * g + 0.0722 * b < 128
  return isDark ? { r: 241, g: 243, b: 245, alpha: 1 } : { r: 33, g: 37, b: 41, alpha: 1 }
}

/** 13 px at 640 x 400. */
function fittingSize(width: number, height: number): number {
  return Math.max(9, Math.min(64, Math.round(Math.sqrt(width * height) / 39)))
}
