/** Small models for tests, whose results are known exactly. The input is `image`, [1, 3, h, w], values of 0 to 1. */
import { createParts, type Parts } from '../onnx-parts.ts'

const image = { name: 'image', dims: [1, 3, 'h', 'w'] }

function modelOf(build: (parts: Parts) => string, dims: (number | string)[], input = image): Buffer {
  const parts = createParts()
  const output = build(parts)
  return parts.write([input], [{ name: output, dims }])
}

/** The mask is one channel of the image: 0 is the first. */
export function channelMask(channel: number): Buffer {
  return modelOf(
    (parts) => {
      const range = [[channel], [channel + 1], [1]].map((each) => parts.integers(each))
      return parts.node('Slice', ['image', ...range], 'mask')
    },
    [1, 1, 'h', 'w'],
  )
}

/** The mask is (channel 0 - 0.5) * 8, for which a manifest names an activation. */
export function logitMask(): Buffer {
  return modelOf(
    (parts) => {
      const range = [[0], [1], [1]].map((each) => parts.integers(each))
      const red = parts.node('Slice', ['image', ...range], 'red')
      const centred = parts.node('Sub', [red, parts.constant([1], [0.5])], 'centred')
      return parts.node('Mul', [centred, parts.constant([1], [8])], 'mask')
    },
    [1, 1, 'h', 'w'],
  )
}

/** Each pixel becomes a square of `scale` pixels. */
export function nearest(scale: number): Buffer {
  return modelOf(
    (parts) =>
      parts.node('Resize', ['image', '', parts.constant([4], [1, 1, scale, scale])], 'large', {
        mode: 'nearest',
        coordinate_transformation_mode: 'asymmetric',
        nearest_mode: 'floor',
      }),
    [1, 3, 'high', 'wide'],
  )
}

/** The same values for each image. */
export function constantOutput(dims: number[], values: readonly number[]): Buffer {
  return modelOf((parts) => parts.node('Identity', [parts.constant(dims, values)], 'boxes'), dims)
}

/** The mask is the square root of a negative number. */
export function notNumbers(): Buffer {
  return modelOf(
    (parts) => {
      const negative = parts.node('Sub', ['image', parts.constant([1], [2])], 'negative')
      return parts.node('Sqrt', [negative], 'mask')
    },
    [1, 3, 'h', 'w'],
  )
}

/** Its output has `dims`, of any size. */
export function expanded(dims: readonly number[]): Buffer {
  return modelOf(
    (parts) => {
      const mean = parts.node('ReduceMean', ['image'], 'mean')
      return parts.node('Expand', [mean, parts.integers(dims)], 'mask')
    },
    dims.map((_, axis) => `d${axis}`),
  )
}

/** Multiplies a matrix of `side` numbers with itself `times` times. */
export function slow(side: number, times: number): Buffer {
  return modelOf(
    (parts) => {
      const mean = parts.node('ReduceMean', ['image'], 'mean')
      let last = parts.node('Expand', [mean, parts.integers([1, 1, side, side])], 'start')
      for (let at = 0; at < times; at += 1) last = parts.node('MatMul', [last, last], `m${at}`)
      return last
    },
    [1, 1, side, side],
  )
}
