import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onnxFromNcnn } from './ncnn-model.ts'
import { onnxRuntime, testWithModels as test } from './test-models.ts'

/** The layers of a small upscaler: a convolution of one pixel to twelve channels, shuffled, plus the picture itself. */
const layers = [
  'Input            input       0 1 data',
  'Split            splitted    1 2 data a b',
  'Convolution      conv        1 1 a c 0=12 1=1 5=1 6=36',
  'PReLU            prelu       1 1 c d 0=12',
  'PixelShuffle     shuffle     1 1 d e 0=2',
  'Interp           larger      1 1 b f 0=1 1=2.0 2=2.0',
  'BinaryOp         sum         2 1 e f output',
]

const weights = Float32Array.from({ length: 36 }, (_, at) => (at % 9) / 8 - 0.5)
const bias = Float32Array.from({ length: 12 }, (_, at) => at / 16 - 0.25)
const slopes = Float32Array.from({ length: 12 }, (_, at) => at / 8)
const input = Float32Array.from({ length: 3 * 2 * 2 }, (_, at) => at / 8)

for (const stored of ['halves', 'floats']) {
  test(`a model with ${stored} weights matches its layers`, async () => {
    const { dims, data } = await run(layers, bytesOf(stored))
    assert.deepEqual(dims, [1, 3, 4, 4])
    for (let channel = 0; channel < 3; channel += 1) {
      for (let y = 0; y < 4; y += 1) {
        for (let x = 0; x < 4; x += 1) {
          const [fromX, fromY] = [x >> 1, y >> 1]
          const out = channel * 4 + (y % 2) * 2 + (x % 2)
          const expected = convolved(out, fromX, fromY) + at(channel, fromX, fromY)
          assert.ok(Math.abs((data[(channel * 4 + y) * 4 + x] ?? 99) - expected) < 1e-5, `${channel}, ${x}, ${y}`)
        }
      }
    }
  })
}

test('rejects weights that do not fit the layers, and unknown layers', async () => {
  await assert.rejects(run(layers, Buffer.concat([bytesOf('floats'), Buffer.alloc(4)])), /left over/)
  await assert.rejects(run([...layers, 'Dropout x 1 1 output z'], bytesOf('floats')), /Dropout/)
})

function at(channel: number, x: number, y: number): number {
  return input[(channel * 2 + y) * 2 + x] ?? 0
}

function convolved(out: number, x: number, y: number): number {
  let sum = bias[out] ?? 0
  for (let channel = 0; channel < 3; channel += 1) sum += (weights[out * 3 + channel] ?? 0) * at(channel, x, y)
  return sum < 0 ? sum * (slopes[out] ?? 0) : sum
}

function bytesOf(stored: string): Buffer {
  const tag = Buffer.alloc(4)
  if (stored === 'floats') return Buffer.concat([tag, bytes(weights), bytes(bias), bytes(slopes)])
  tag.writeUInt32LE(0x01306b47)
  return Buffer.concat([tag, bytes(Float16Array.from(weights)), bytes(bias), bytes(slopes)])
}

function bytes({ buffer, byteOffset, byteLength }: Float32Array | Float16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

async function run(lines: string[], bin: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-test-'))
  try {
    await writeFile(join(folder, 'm.param'), ['7767517', `${lines.length} 9`, ...lines].join('\n'))
    await writeFile(join(folder, 'm.bin'), bin)
    const { InferenceSession, Tensor } = onnxRuntime()
    const session = await InferenceSession.create(await onnxFromNcnn(join(folder, 'm')))
    const { output } = await session.run({ input: new Tensor('float32', input, [1, 3, 2, 2]) })
    assert.ok(output)
    return { dims: [...output.dims], data: output.data as Float32Array }
  } finally {
    await rm(folder, { recursive: true })
  }
}
