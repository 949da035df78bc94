/** The enlarged image of a model: from its output to bytes. */
import type { ModelImage, ModelOutput } from '../define-model.ts'
import { ModelProblem } from '../messages.ts'
import type { UpscaleManifest } from './manifest.ts'
import { type Floats, planesOf, requireNumbers, shapeText } from './tensor-data.ts'

const usualRange = [0, 1]

/** Red, green and blue of each pixel. */
export function enlargedOf(
  { name, dims, data }: Floats,
  { input, output, scale }: UpscaleManifest,
  image: ModelImage,
): ModelOutput {
  const layout = output.layout ?? input.layout
  const planes = planesOf(dims, layout)
  const [height, width] = [image.height * scale, image.width * scale]
  if (planes === undefined || planes.channels !== 3 || planes.height !== height || planes.width !== width) {
    const expected = layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3]
    throw new ModelProblem(
      `its output "${name}" has the shape ${shapeText(dims)}; with "scale: ${scale}" and "layout: ${layout}" it must be ${shapeText(expected)}`,
    )
  }
  const [black = 0, white = 1] = output.range ?? input.range ?? usualRange
  const factor = 255 / (white - black)
  const bytes = new Uint8ClampedArray(width * height * 3)
  let isNumber = true
  for (let channel = 0; channel < 3; channel += 1) {
    const plane = input.channels === 'BGR' ? 2 - channel : channel
    for (
      let pixel = 0, from = plane * planes.channelStep;
      pixel < width * height;
      pixel += 1, from += planes.pixelStep
    ) {
      const value = data[from] as number
      if (Number.isNaN(value)) isNumber = false
      bytes[pixel * 3 + channel] = (value - black) * factor
    }
  }
  requireNumbers(isNumber, name)
  return { dims: [height, width, 3], data: new Uint8Array(bytes.buffer) }
}
