/** The mask of a model: from its output to levels of 0 to 255. */
import { limits } from '../../limits.ts'
import type { ModelOutput } from '../define-model.ts'
import { ModelProblem } from '../messages.ts'
import type { MaskManifest } from './manifest.ts'
import { type Floats, type Planes, planesOf, requireNumbers, shapeText } from './tensor-data.ts'

/** One byte for each pixel of the mask, whose size can differ from that of the input: [height, width]. */
export function levelsOf({ name, dims, data }: Floats, { input, output }: MaskManifest): ModelOutput {
  const planes = planesOf(dims, output.layout ?? input.layout)
  if (planes === undefined || Math.max(planes.width, planes.height) > limits.onnxSidePixelsMax) {
    throw new ModelProblem(
      `its output "${name}" has the shape ${shapeText(dims)}; a mask is 1xCxHxW or 1xHxWxC (see "layout"), with sides of at most ${limits.onnxSidePixelsMax}`,
    )
  }
  if (output.channel >= planes.channels) {
    throw new ModelProblem(
      `its output "${name}" has ${planes.channels} channels, so "channel" can't be ${output.channel}`,
    )
  }
  const shares = sharesOf(data, planes, output)
  requireNumbers(
    shares.every((value) => !Number.isNaN(value)),
    name,
  )
  // Rounds half to even and clips at 0 and 255.
  const bytes = new Uint8ClampedArray(shares.length)
  for (let pixel = 0; pixel < shares.length; pixel += 1) bytes[pixel] = (shares[pixel] as number) * 255
  return { dims: [planes.height, planes.width], data: new Uint8Array(bytes.buffer) }
}

function sharesOf(
  data: ArrayLike<number>,
  { channels, height, width, channelStep, pixelStep }: Planes,
  { channel, activation }: MaskManifest['output'],
): Float32Array {
  const shares = new Float32Array(height * width)
  const valueAt = (pixel: number, of: number) => data[of * channelStep + pixel * pixelStep] as number
  for (let pixel = 0; pixel < shares.length; pixel += 1) {
    const value = valueAt(pixel, channel)
    if (activation === 'sigmoid') shares[pixel] = 1 / (1 + Math.exp(-value))
    else if (activation === 'softmax') {
      let sum = 0
      for (let other = 0; other < channels; other += 1) sum += Math.exp(valueAt(pixel, other) - value)
      shares[pixel] = 1 / sum
    } else shares[pixel] = value
  }
  return activation === 'minmax' ? stretched(shares) : shares
}

/** A mask without contrast stays as it is: stretching would amplify noise. */
function stretched(shares: Float32Array): Float32Array {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of shares) {
    if (value < low) low = value
    if (value > high) high = value
  }
  const difference = high - low
  return difference > contrastMin ? shares.map((value) => (value - low) / difference) : shares
}

const contrastMin = 1e-6
