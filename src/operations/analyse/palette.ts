import Type from 'typebox'
import { type Cluster, clustersOf } from '../../imaging/raster/measure/clusters.ts'
import { rounded } from '../../imaging/raster/measure/rounded.ts'
import { thumbnailOf } from '../../imaging/raster/measure/thumbnail.ts'
import { chroma, contrastRatio } from '../../imaging/raster/tone/oklab.ts'
import { defineOperation, socket } from '../define.ts'

const hex = (description: string) => Type.String({ description: `${description}, as #rrggbb.` })

export const palette = defineOperation({
  id: 'palette',
  version: 1,
  title: 'Palette',
  summary: 'Finds the main colours of the image.',
  keywords: ['color', 'dominant color', 'color scheme', 'swatches', 'extract colors', 'theme'],
  group: 'analyse',
  inputs: { image: socket.one('The image to analyse.') },
  params: Type.Object(
    {
      count: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 5,
        title: 'Count',
        description: 'Number of colours. Images with fewer colours return fewer.',
        'x-unit': 'colours',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      colors: Type.Array(Type.String(), { description: 'The colours as #rrggbb, most frequent first.' }),
      shares: Type.Array(Type.Number(), { description: 'Share of the image for each colour in `colors`, 0 to 1.' }),
      dominant: hex('The most frequent colour'),
      vibrant: hex('The most vibrant colour, weighted by its share of the image'),
      muted: hex('A muted colour of medium lightness'),
      light: hex('The lightest colour that covers at least 1 % of the image'),
      dark: hex('The darkest colour that covers at least 1 % of the image'),
      textColor: Type.String({
        description: '#000000 or #ffffff: the more readable text colour on `dominant`, by WCAG 2.2 contrast.',
      }),
      textContrast: Type.Number({
        description: 'Contrast ratio of `textColor` on `dominant`, 4.58 to 21. WCAG requires 4.5 (AA) or 7 (AAA).',
      }),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { count: 3 } },
  ],

  async run({ image }, { count }, context) {
    const small = await thumbnailOf(image, { width: side, height: side, fit: 'inside' }, context)
    const found = clustersOf(small, count)
    const fine = clustersOf(small, fineCount)
    const [dominant] = found
    const text = textOn(dominant)
    return {
      image,
      colors: found.map(hexOf),
      shares: found.map(({ share }) => rounded(share)),
      dominant: hexOf(dominant),
      vibrant: hexOf(best(fine, (color) => chroma(color.lab) * color.share ** 0.25)),
      muted: hexOf(best(fine, (color) => softness(color) * color.share ** 0.25)),
      light: hexOf(best(fine, ({ lab, share }) => (share >= 0.01 ? lab.l : 0))),
      dark: hexOf(best(fine, ({ lab, share }) => (share >= 0.01 ? 1 - lab.l : 0))),
      textColor: hexOf(text),
      textContrast: rounded(contrastRatio(text.rgb, dominant?.rgb ?? black.rgb)),
    }
  },
})

/** Pixels; more don't change the result visibly. */
const side = 100
/** More clusters than the result has, so that a small strong colour is found that the result would not have. */
const fineCount = 16

type Rgb = Pick<Cluster, 'rgb'>
const black: Rgb = { rgb: [0, 0, 0] }
const white: Rgb = { rgb: [255, 255, 255] }

function textOn(ground: Rgb = black): Rgb {
  return contrastRatio(white.rgb, ground.rgb) >= contrastRatio(black.rgb, ground.rgb) ? white : black
}

function best(clusters: Cluster[], score: (cluster: Cluster) => number): Cluster | undefined {
  return clusters.toSorted((a, b) => score(b) - score(a))[0]
}

/** The maximum for a slightly saturated colour (chroma 0.05 in OKLab) of lightness 0.6. */
function softness({ lab }: Cluster): number {
  return Math.max(0, 1 - Math.abs(chroma(lab) - 0.05) / 0.1) * (1 - Math.abs(lab.l - 0.6))
}

/** An entirely transparent image has no colour: black. */
function hexOf({ rgb }: Rgb = black): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}
