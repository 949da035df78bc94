/** Converts pixels to the floats of a model, and its outputs to bytes. */
import type { GraphInput, ModelImage, ModelOutput, OutputKind } from './define-model.ts'

export function toTensorData({ data, width, height }: ModelImage, input: GraphInput): Float32Array {
  const { layout, mean, deviation, isBgr = false } = input
  const count = width * height
  const floats = new Float32Array(count * 3)
  for (let channel = 0; channel < 3; channel += 1) {
    const table = Float32Array.from(
      { length: 256 },
      (_, byte) => (byte - (mean[channel] ?? 0)) / (deviation[channel] ?? 1),
    )
    const plane = isBgr ? 2 - channel : channel
    const [first, step] = layout === 'NCHW' ? [plane * count, 1] : [plane, 3]
    for (let pixel = 0, to = first; pixel < count; pixel += 1, to += step) {
      floats[to] = table[data[pixel * 3 + channel] as number] as number
    }
  }
  return floats
}

export function fromTensor(floats: Float32Array, dims: readonly number[], kind: OutputKind): ModelOutput {
  if (kind === 'best') return bestOf(floats, [...dims])
  // A copy, because the runtime owns its output memory.
  if (kind === 'floats') return { dims: [...dims], data: Float32Array.from(floats) }
  return { dims: [...dims], data: toBytes(floats, dims, kind === 'levels' ? 255 : 1) }
}

/** Converts from [1, channels, height, width] to rows of pixels. */
function toBytes(floats: Float32Array, dims: readonly number[], scale: number): Uint8Array {
  const [, channels = 1] = dims.length === 4 ? dims : [1, 1]
  const count = floats.length / channels
  // Rounds half to even and clips at 0 and 255.
  const bytes = new Uint8ClampedArray(floats.length)
  for (let channel = 0; channel < channels; channel += 1) {
    for (let pixel = 0, from = channel * count; pixel < count; pixel += 1, from += 1) {
      bytes[pixel * channels + channel] = (floats[from] as number) * scale
    }
  }
  return new Uint8Array(bytes.buffer)
}

function bestOf(floats: Float32Array, dims: number[]): ModelOutput {
  const length = dims.at(-1) ?? 1
  const rows = floats.length / length
  const indexes = new Uint16Array(rows)
  const values = new Float32Array(rows)
  for (let row = 0; row < rows; row += 1) {
    let best = 0
    for (let at = 1; at < length; at += 1) {
      if ((floats[row * length + at] as number) > (floats[row * length + best] as number)) best = at
    }
    indexes[row] = best
    values[row] = floats[row * length + best] as number
  }
  return { dims: dims.slice(0, -1), data: indexes, values }
}
