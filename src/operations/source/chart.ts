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
import { color, font, pixels } from '../shared/params.ts'

const label = (options: { title: string; description: string; default?: string }) =>
  Type.String({ maxLength: limits.labelCharsMax, default: '', ...options })

const small = { width: 360, height: 240 }

export const chart = defineOperation({
  id: 'chart',
  version: 1,
  title: 'Chart',
  summary: 'Draws numbers as bars, lines, areas, points, or slices of a pie.',
  group: 'source',
  inputs: {},
  params: Type.Object(
    {
      kind: Type.Enum([...chartKinds], {
        default: 'bar',
        title: 'Kind',
        description:
          'What the numbers become. A pie and a donut take one series; scatter takes a number for each label.',
      }),
      width: pixels({
        minimum: 80,
        maximum: limits.chartSidePixelsMax,
        default: 640,
        title: 'Width',
        description: 'Width of the picture.',
      }),
      height: pixels({
        minimum: 80,
        maximum: limits.chartSidePixelsMax,
        default: 400,
        title: 'Height',
        description: 'Height of the picture.',
      }),
      data: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.chartDataCharsMax,
          title: 'Data',
          description:
            'The numbers as text, in place of `labels` and `series`, so that one parameter or template can give them: a line `label,value[,value]` for each point. Semicolons or tabs do as well as commas, and then decimal commas too. The first line may name the series. An empty value is a gap; a label with a comma goes in double quotes.',
          'x-widget': 'textarea',
        }),
      ),
      header: Type.Enum([...headers], {
        default: 'auto',
        title: 'Header',
        description:
          'Whether the first line of `data` names the series. auto: when it has no numbers; years as names need yes.',
      }),
      labels: Type.Optional(
        Type.Array(Type.String({ maxLength: limits.labelCharsMax }), {
          maxItems: limits.chartPointsMax,
          title: 'Labels',
          description:
            'Names of the points, in their order; for scatter where they are from left to right. Default: 1, 2, 3...',
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
                  description: 'What the legend says.',
                }),
              ),
              values: Type.Array(Type.Number({ minimum: -1e15, maximum: 1e15 }), {
                minItems: 1,
                maxItems: limits.chartPointsMax,
                title: 'Values',
                description: 'A number for each label.',
              }),
            },
            { additionalProperties: false },
          ),
          {
            minItems: 1,
            maxItems: limits.chartSeriesMax,
            title: 'Series',
            description: 'The numbers: a list of names, each with its values.',
          },
        ),
      ),
      title: label({ title: 'Title', description: 'Headline of the chart.' }),
      subtitle: label({
        title: 'Subtitle',
        description: 'Stands below the title: what is counted, and where it is from.',
      }),
      xTitle: label({ title: 'Horizontal title', description: 'What runs along the bottom.' }),
      yTitle: label({ title: 'Vertical title', description: 'What runs along the side.' }),
      colors: Type.Array(color({ description: 'A colour.' }), {
        minItems: 1,
        maxItems: 24,
        default: defaultColors,
        title: 'Colours',
        description: 'Colours of the series, or of the slices of a pie; begun again when they run out.',
      }),
      background: color({
        default: 'white',
        title: 'Background',
        description: 'Colour behind everything; may be transparent.',
      }),
      color: Type.Optional(
        color({
          title: 'Text colour',
          description: 'Colour of texts, axes and, fainter, lines. Default: dark, on a dark background light.',
        }),
      ),
      legend: Type.Enum([...legends], {
        default: 'auto',
        title: 'Legend',
        description: 'Where the names of the series stand. auto: at the top, where there are several.',
      }),
      stacked: Type.Boolean({
        default: false,
        title: 'Stacked',
        description: 'Whether the series stand on each other; for bar, line and area.',
      }),
      horizontal: Type.Boolean({
        default: false,
        title: 'Horizontal',
        description: 'Whether bars lie, with their names on the left.',
      }),
      smooth: Type.Boolean({ default: false, title: 'Smooth', description: 'Whether lines are curved.' }),
      showValues: Type.Boolean({
        default: false,
        title: 'Show values',
        description: 'Whether the numbers stand at their bars and points, and at slices in place of percentages.',
      }),
      gridLines: Type.Boolean({
        default: true,
        title: 'Grid lines',
        description: 'Whether there are lines across from the numbers of an axis.',
      }),
      min: Type.Optional(
        Type.Number({
          minimum: -1e15,
          maximum: 1e15,
          title: 'Minimum',
          description: 'Lowest number of the axis. Default: 0 for bars and areas, for lines and points what they need.',
        }),
      ),
      max: Type.Optional(
        Type.Number({
          minimum: -1e15,
          maximum: 1e15,
          title: 'Maximum',
          description: 'Highest number of the axis. Default: what is needed.',
        }),
      ),
      prefix: Type.String({
        maxLength: 12,
        default: '',
        title: 'Prefix',
        description: 'Stands before numbers, as in $5.',
      }),
      suffix: Type.String({
        maxLength: 12,
        default: '',
        title: 'Suffix',
        description: 'Stands after numbers, as in 5 km.',
      }),
      decimals: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 6,
          title: 'Decimals',
          description: 'Digits after the point. Default: those that there are, at most 2.',
        }),
      ),
      compact: Type.Boolean({
        default: false,
        title: 'Compact',
        description: 'Whether large numbers are written as 1.2K or 3M.',
      }),
      numberFormat: Type.Enum([...numberFormats], {
        default: '1,234.5',
        title: 'Number format',
        description: 'How thousands and decimals are set off.',
      }),
      font: font(),
      fontSize: Type.Optional(
        Type.Number({
          minimum: 6,
          maximum: 100,
          title: 'Font size',
          description:
            'Size of the labels; titles, lines and gaps follow from it. Default: by the size of the picture.',
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
  outputs: { image: 'The chart.' },
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

  async run(_, { data, header, labels, series, ...given }, context) {
    const { width, height } = given
    checkSize(width, height, context.pixelsMax)
    const numbers = data === undefined ? dataFromLists(labels ?? [], series ?? []) : dataFromText(data, header)
    checkData(given.kind, numbers)
    if (given.min !== undefined && given.max !== undefined && given.min >= given.max) {
      throw failure('input_invalid', `min is ${given.min} and max is ${given.max}; max must be more.`)
    }
    const background = parseColor(given.background)
    const style: ChartStyle = {
      ...given,
      data: numbers,
      min: given.min,
      max: given.max,
      decimals: given.decimals,
      background,
      color: given.color === undefined ? textOn(background) : parseColor(given.color),
      colors: given.colors.map(cssColor),
      fontSize: given.fontSize ?? fittingSize(width, height),
    }
    // Loaded with the first chart: the start of the service should not wait for it.
    const { drawChart } = await import('../../imaging/vector/draw-chart.ts')
    return { image: imageFromPixels(await drawChart(style, context)) }
  },
})

function checkData(kind: ChartStyle['kind'], { labels, series }: ChartData): void {
  if (kind === 'scatter') {
    const wrong = labels.find((text) => text.trim() === '' || !Number.isFinite(Number(text)))
    if (wrong === undefined) return
    throw failure(
      'input_invalid',
      `The label "${wrong}" is not a number; for scatter a label says where its points are.`,
    )
  }
  if (kind !== 'pie' && kind !== 'donut') return
  if (series.length > 1) throw failure('input_invalid', `A ${kind} has one series, not ${series.length}.`)
  const values = series.flatMap(({ values }) => values.map((value) => value ?? 0))
  const below = values.find((value) => value < 0)
  if (below !== undefined)
    throw failure('input_invalid', `A ${kind} has no slice for ${below}; all values are at least 0.`)
  if (values.every((value) => value === 0)) throw failure('input_invalid', `All values of the ${kind} are 0.`)
}

/** Of an opaque colour; what is hardly there counts as the white of a page. */
function textOn({ r, g, b, alpha }: Color): Color {
  const isDark = alpha > 0.5 && 0.2126 * r + 0.7152 * g + 0.0722 * b < 128
  return isDark ? { r: 241, g: 243, b: 245, alpha: 1 } : { r: 33, g: 37, b: 41, alpha: 1 }
}

/** 13 px at 640 x 400. */
function fittingSize(width: number, height: number): number {
  return Math.max(9, Math.min(64, Math.round(Math.sqrt(width * height) / 39)))
}
