/** Conversion of pixels to the tensor of a model, and of tensors to floats. */
import type { ModelImage } from '../define-model.ts'
import { ModelProblem } from '../messages.ts'
import type { Manifest } from './manifest.ts'

/** An output of a model. */
export interface Floats {
  name: string
  dims: number[]
  data: ArrayLike<number>
}

const arrays = { float32: Float32Array, float16: Float16Array, uint8: Uint8Array }
type InputType = keyof typeof arrays

export function isInputType(type: string): type is InputType {
  return Object.hasOwn(arrays, type)
}

const usualRange = [0, 1]

/** Values in the layout and the order of channels of the manifest, normalized. */
export function inputData(
  { data, width, height }: ModelImage,
  { layout, channels, range = usualRange, mean, std }: Manifest['input'],
  type: InputType,
): Float32Array | Float16Array | Uint8Array {
  const count = width * height
  const values = new arrays[type](count * 3)
  const [black = 0, white = 1] = range
  for (let channel = 0; channel < 3; channel += 1) {
    // Mean and deviation are in the order of the tensor.
    const plane = channels === 'BGR' ? 2 - channel : channel
    const table = Float32Array.from({ length: 256 }, (_, byte) => {
      const value = black + (byte / 255) * (white - black)
      return (value - (mean[plane] as number)) / (std[plane] as number)
    })
    if (type === 'uint8' && table.some((value) => value < -0.5 || value >= 255.5)) {
      throw new ModelProblem(
        'its input has whole numbers of 0 to 255. Set "range" to [0, 255] and remove "mean" and "std"',
      )
    }
    const rounded = type === 'uint8' ? table.map(Math.round) : table
    const [first, step] = layout === 'NCHW' ? [plane * count, 1] : [plane, 3]
    for (let pixel = 0, to = first; pixel < count; pixel += 1, to += step) {
      values[to] = rounded[data[pixel * 3 + channel] as number] as number
    }
  }
  return values
}

/** Undefined for other types than numbers. */
export function floatsOf(data: unknown, type: string): ArrayLike<number> | undefined {
  switch (type) {
    case 'float32':
    case 'float64':
    case 'uint8':
    case 'int8':
    case 'uint16':
    case 'int16':
    case 'uint32':
    case 'int32':
    case 'bool':
      return data as ArrayLike<number>
    case 'float16':
      // The runtime returns the bits of the numbers where JavaScript lacked the type.
      return data instanceof Uint16Array
        ? new Float16Array(data.buffer, data.byteOffset, data.length)
        : (data as ArrayLike<number>)
    case 'int64':
    case 'uint64':
      return Float64Array.from(data as BigInt64Array, Number)
    default:
      return undefined
  }
}

/** 1x3x1024x1024 */
export function shapeText(dims: readonly (number | string)[]): string {
  return dims.map(String).join('x')
}

/** The axes of an image: channels, height and width, and the distance of their values. */
export interface Planes {
  channels: number
  height: number
  width: number
  channelStep: number
  pixelStep: number
}

/** Undefined for a shape that isn't one image. */
export function planesOf(dims: readonly number[], layout: 'NCHW' | 'NHWC'): Planes | undefined {
  const shape = dims.length === 4 && dims[0] === 1 ? dims.slice(1) : dims
  const single =
    shape.length === 2 ? shape : shape.length === 3 && shape[0] === 1 && layout === 'NCHW' ? shape.slice(1) : undefined
  if (single) {
    const [height = 0, width = 0] = single
    return height * width === 0 ? undefined : { channels: 1, height, width, channelStep: 0, pixelStep: 1 }
  }
  if (shape.length !== 3) return undefined
  const [a = 0, b = 0, c = 0] = shape
  if (a * b * c === 0) return undefined
  return layout === 'NCHW'
    ? { channels: a, height: b, width: c, channelStep: b * c, pixelStep: 1 }
    : { channels: c, height: a, width: b, channelStep: 1, pixelStep: c }
}

export function requireNumbers(isNumber: boolean, name: string): void {
  if (!isNumber) throw new ModelProblem(`its output "${name}" has values that are not numbers (NaN)`)
}
