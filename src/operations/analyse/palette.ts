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
  summary: 'Finds the colours that the image is made of.',
  group: 'analyse',
  inputs: { image: socket.one('The image to look at.') },
  params: Type.Object(
    {
      count: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 5,
        title: 'Count',
        description: 'How many colours. An image that has fewer gives fewer.',
        'x-unit': 'colours',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      colors: Type.Array(Type.String(), { description: 'The colours, the most frequent first, as #rrggbb.' }),
      shares: Type.Array(Type.Number(), { description: 'How much of the image each of `colors` stands for, 0 to 1.' }),
      dominant: hex('The most frequent colour'),
      vibrant: hex('The colour that is strongest for how much there is of it'),
      muted: hex('A soft colour of middle lightness'),
      light: hex('The lightest of the colours that cover at least 1 %'),
      dark: hex('The darkest of the colours that cover at least 1 %'),
      textColor: Type.String({
        description: '#000000 or #ffffff: what is read best on `dominant`, by the contrast of WCAG 2.2.',
      }),
      textContrast: Type.Number({
        description: 'That contrast, 4.58 to 21. WCAG asks for 4.5 (AA) or 7 (AAA).',
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
    const found = await clustersOf(small, count)
    const fine = await clustersOf(small, fineCount)
    const [dominant] = found
    const text = textOn(dominant)
    return {
      image,
      colors: found.map(hexOf),
      shares: found.map(({ share }) => rounded(share)),
      dominant: hexOf(dominant),
      vibrant: hexOf(best(fine, (each) => chroma(each.lab) * each.share ** 0.25)),
      muted: hexOf(best(fine, (each) => softness(each) * each.share ** 0.25)),
      light: hexOf(best(fine, ({ lab, share }) => (share >= 0.01 ? lab.l : 0))),
      dark: hexOf(best(fine, ({ lab, share }) => (share >= 0.01 ? 1 - lab.l : 0))),
      textColor: hexOf(text),
      textContrast: rounded(contrastRatio(text.rgb, dominant?.rgb ?? black.rgb)),
    }
  },
})

/** Pixels; more change nothing that is seen. */
const side = 100
/** Finer than the list that is told, so that a small strong colour is found that has no place in it. */
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

/** Most for a little colour (chroma 0.05 in OKLab) of lightness 0.6. */
function softness({ lab }: Cluster): number {
  return Math.max(0, 1 - Math.abs(chroma(lab) - 0.05) / 0.1) * (1 - Math.abs(lab.l - 0.6))
}

/** An image that is transparent all over has no colour: black. */
function hexOf({ rgb }: Rgb = black): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}
