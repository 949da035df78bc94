import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromTensor, toTensorData } from './tensors.ts'

const image = { data: Uint8Array.of(10, 20, 30, 40, 50, 60), width: 2, height: 1 }
const input = { name: 'x', mean: [10, 20, 30], deviation: [1, 2, 3] } as const

test('converts pixels to floats in the order of axes and channels of the model', () => {
  assert.deepEqual([...toTensorData(image, { ...input, layout: 'NCHW' })], [0, 30, 0, 15, 0, 10])
  assert.deepEqual([...toTensorData(image, { ...input, layout: 'NHWC' })], [0, 0, 0, 30, 15, 10])
  assert.deepEqual([...toTensorData(image, { ...input, layout: 'NCHW', isBgr: true })], [0, 10, 0, 15, 0, 30])
})

test('converts floats to bytes, rounded and clamped, with channels last', () => {
  const floats = Float32Array.of(-3, 0.6, 254.6, 300, 7, 8)
  assert.deepEqual([...fromTensor(floats, [1, 3, 1, 2], 'bytes').data], [0, 255, 7, 1, 255, 8])
  assert.deepEqual([...fromTensor(Float32Array.of(0, 0.5, 1, 2), [1, 1, 2, 2], 'levels').data], [0, 128, 255, 255])
})

test('returns the best entry of each row, with its value', () => {
  const { dims, data, values } = fromTensor(Float32Array.of(0.25, 0.75, 0.5, 0.125), [1, 2, 2], 'best')
  assert.deepEqual(
    [dims, [...data], [...(values ?? [])]],
    [
      [1, 2],
      [1, 0],
      [0.75, 0.5],
    ],
  )
})
