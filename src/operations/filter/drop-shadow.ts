import Type from 'typebox'
import { type Color, parseColor } from '../../imaging/raster/color.ts'
import { reachOf } from '../../imaging/raster/effect/box-blur.ts'
import { compositeWithShade, shadeAtop } from '../../imaging/raster/effect/composite-shade.ts'
import { spreadBy } from '../../imaging/raster/effect/distance.ts'
import { blurred, nothing, type Shade } from '../../imaging/raster/effect/shade.ts'
import { frameOf, grown, silhouetteOf } from '../../imaging/raster/effect/silhouette.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import type { Rectangle } from '../../imaging/raster/region.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

const offset = { minimum: -1_000, maximum: 1_000, 'x-unit': 'px' }

export const dropShadow = defineOperation({
  id: 'drop-shadow',
  version: 1,
  title: 'Drop shadow',
  summary: 'Adds a soft shadow behind the image, or inside its edges.',
  keywords: ['inner shadow', 'box shadow', 'depth', 'elevation'],
  group: 'filter',
  inputs: {
    image: socket.one('The image that casts the shadow: the shape of its alpha, or a rectangle if it is opaque.'),
  },
  params: Type.Object(
    {
      x: Type.Integer({
        ...offset,
        default: 0,
        title: 'X',
        description: 'Horizontal offset; positive values move the shadow to the right.',
      }),
      y: Type.Integer({
        ...offset,
        default: 8,
        title: 'Y',
        description: 'Vertical offset; positive values move the shadow down.',
      }),
      blur: Type.Number({
        minimum: 0,
        maximum: 500,
        default: 24,
        title: 'Blur',
        description: 'Blur radius, as in CSS: twice the standard deviation of the Gaussian. 0 is a hard edge.',
        'x-unit': 'px',
      }),
      spread: Type.Integer({
        minimum: -200,
        maximum: 200,
        default: 0,
        title: 'Spread',
        description: 'Growth of the shadow on every side before it is blurred; negative values shrink it.',
        'x-unit': 'px',
      }),
      color: color({ default: 'black', title: 'Colour', description: 'Colour of the shadow.' }),
      opacity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        title: 'Opacity',
        description: 'Opacity of the shadow, multiplied by the alpha of the colour.',
      }),
      inner: Type.Boolean({
        default: false,
        title: 'Inner',
        description: 'Draw the shadow inside the image, as if it lay below its surroundings.',
      }),
      grow: Type.Boolean({
        default: true,
        title: 'Grow',
        description:
          'Enlarge the result so that the shadow is not cropped; the size depends only on the params. If false, the size does not change. An inner shadow never needs more space.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with its shadow.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a cut-out', inputs: { image: 'mark.svg' }, params: { y: 8, blur: 16 } },
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: { y: 12, blur: 32, spread: -4, opacity: 0.5 } },
    {
      name: 'hard and coloured',
      inputs: { image: 'mark.svg' },
      params: { x: 8, y: 8, blur: 0, color: '#364fc7', opacity: 1 },
    },
    {
      name: 'spread',
      inputs: { image: 'badge.png' },
      params: { y: 0, blur: 6, spread: 6, color: '#e64980', opacity: 1 },
    },
    { name: 'inner', inputs: { image: 'mark.svg' }, params: { inner: true, y: 6, blur: 14, opacity: 0.7 } },
  ],

  async run({ image }, { x, y, blur, spread, color, opacity, inner, grow }, context) {
    // The standard deviation is half of the CSS blur radius: Backgrounds and Borders 3, 6.1.1.
    const cast = { x, y, sigma: blur / 2, spread: inner ? -spread : spread }
    const canvas = inner || !grow ? frameOf(image) : frameWith(image, cast)
    checkSize(canvas.width, canvas.height, context.pixelsMax)
    const pixels = await pixelsOf(image, context)
    const { alpha, ...opaque } = parseColor(color)
    const ink: Color = { ...opaque, alpha: alpha * opacity }
    // An opaque image of the same size hides everything behind it.
    if (!inner && pixels.channels === 3 && canvas.width === pixels.width && canvas.height === pixels.height)
      return { image }
    const shade = await shadowOf(pixels, cast, context)
    const shaded = inner
      ? await shadeAtop(pixels, shade, { color: ink, inverted: true }, context)
      : await compositeWithShade(pixels, shade, { canvas, color: ink, order: 'below' }, context)
    return { image: imageFromPixels(shaded) }
  },
})

interface Cast {
  x: number
  y: number
  sigma: number
  spread: number
}

async function shadowOf(pixels: Pixels, { x, y, sigma, spread }: Cast, context: OperationContext): Promise<Shade> {
  const silhouette = await silhouetteOf(pixels, context)
  const thick = silhouette && (await spreadBy(silhouette, spread, context))
  if (thick === undefined) return nothing
  return blurred({ ...thick, x: thick.x + x, y: thick.y + y }, sigma)
}

/** The image and everything that its shadow can reach. */
function frameWith(image: { width: number; height: number }, { x, y, sigma, spread }: Cast): Rectangle {
  const shadow = grown(frameOf(image), reachOf(sigma) + spread)
  const [left, top] = [Math.min(0, shadow.x + x), Math.min(0, shadow.y + y)]
  return {
    x: left,
    y: top,
    width: Math.max(image.width, shadow.x + x + shadow.width) - left,
    height: Math.max(image.height, shadow.y + y + shadow.height) - top,
  }
}
