import Type from 'typebox'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { addBloom } from '../../imaging/raster/effect/bloom.ts'
import { reachOf } from '../../imaging/raster/effect/box-blur.ts'
import { compositeWithShade } from '../../imaging/raster/effect/composite-shade.ts'
import { blurred, nothing, type Shade } from '../../imaging/raster/effect/shade.ts'
import { frameOf, grown, silhouetteOf } from '../../imaging/raster/effect/silhouette.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const glow = defineOperation({
  id: 'glow',
  version: 1,
  title: 'Glow',
  summary: 'Adds a glow around the shape of the image, or around its highlights.',
  keywords: ['bloom', 'halo', 'neon', 'shine', 'light'],
  group: 'filter',
  inputs: { image: socket.one('The image to add a glow to.') },
  params: Type.Object(
    {
      of: Type.Enum(['shape', 'highlights'], {
        default: 'shape',
        title: 'Of',
        description:
          'Source of the glow. shape: a light in `color` behind the image, around its alpha or its rectangle; highlights: the bright areas of the image, in their own colours.',
      }),
      radius: Type.Number({
        minimum: 1,
        maximum: 500,
        default: 24,
        title: 'Radius',
        description: 'Radius of the glow: twice the standard deviation of the Gaussian, as in CSS blur.',
        'x-unit': 'px',
      }),
      intensity: Type.Number({
        minimum: 0,
        maximum: 10,
        default: 1,
        title: 'Intensity',
        description: 'Strength of the glow; 0 for none.',
      }),
      color: color({
        default: 'white',
        title: 'Colour',
        description: 'Colour of the glow of a shape. Tints the glow of highlights; white leaves them unchanged.',
      }),
      threshold: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.75,
        title: 'Threshold',
        description: 'Minimum brightness of a highlight: 0 makes everything glow, 1 only white. Only for highlights.',
      }),
      grow: Type.Boolean({
        default: true,
        title: 'Grow',
        description:
          'Enlarge the result so that the glow around a shape is not cropped; if false, the size does not change. Highlights never need more space.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with the glow. With highlights, alpha does not change.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'around a shape', inputs: { image: 'mark.svg' }, params: { color: '#ff922b', radius: 20, intensity: 1.5 } },
    {
      name: 'of highlights',
      inputs: { image: 'coffee.jpg' },
      params: { of: 'highlights', radius: 20, intensity: 1.2 },
    },
    {
      name: 'tinted highlights',
      inputs: { image: 'cat.jpg' },
      params: { of: 'highlights', radius: 40, threshold: 0.6, color: '#ffd8a8' },
    },
    { name: 'around a photograph', inputs: { image: 'cat.jpg' }, params: { color: '#4dabf7', radius: 24 } },
  ],

  async run({ image }, { of, color, ...settings }, context) {
    const light = parseColor(color)
    const sigma = settings.radius / 2
    if (of === 'shape') return { image: await shining(image, { ...settings, sigma, color: light }, context) }
    return {
      image: imageFromPixels(
        await addBloom(await pixelsOf(image, context), { ...settings, sigma, color: light }, context),
      ),
    }
  },
})

interface Light {
  sigma: number
  intensity: number
  color: Color
  grow: boolean
}

async function shining(image: ImageValue, light: Light, context: OperationContext): Promise<ImageValue> {
  const { color, grow } = light
  const canvas = grow ? grown(frameOf(image), reachOf(light.sigma)) : frameOf(image)
  checkSize(canvas.width, canvas.height, context.pixelsMax)
  const pixels = await pixelsOf(image, context)
  // Nothing is visible behind an opaque image of the same size.
  if (pixels.channels === 3 && !grow) return image
  const shade = await lightOf(pixels, light, context)
  return imageFromPixels(await compositeWithShade(pixels, shade, { canvas, color, order: 'below' }, context))
}

async function lightOf(pixels: Pixels, { sigma, intensity }: Light, context: OperationContext): Promise<Shade> {
  const silhouette = await silhouetteOf(pixels, context)
  if (silhouette === undefined) return nothing
  const shade = blurred(silhouette, sigma)
  const strengthen = layered(2 * intensity)
  return {
    ...shade,
    rows: (into) => {
      shade.rows(into)
      strengthen(into)
    },
  }
}

const entries = 512

/**
 * Like `count` layers of the same light, 1 - (1 - cover)^count, from a table with linear interpolation. A single
 * layer would have only half of the colour's strength at the contour, where it is strongest.
 */
function layered(count: number): (row: Float32Array) => void {
  const table = Float32Array.from({ length: entries + 2 }, (_, at) => 1 - Math.max(0, 1 - at / entries) ** count)
  return (row) => {
    for (let x = 0; x < row.length; x += 1) {
      const position = Math.max(0, Math.min(1, row[x] as number)) * entries
      const entry = position | 0
      const low = table[entry] as number
      row[x] = low + ((table[entry + 1] as number) - low) * (position - entry)
    }
  }
}
