import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onnxFromLayers } from './layers-model.ts'
import { onnxRuntime, testWithModels as test } from './test-models.ts'

const side = 3
const kernel = Float32Array.from({ length: 3 * 3 * 3 * 2 }, (_, at) => ((at * 5) % 7) / 7 - 0.4)
const bias = Float32Array.of(0.25, -0.5)
const input = Float32Array.from({ length: 3 * side * side }, (_, at) => ((at * 3) % 11) / 11)

test('a convolution, an activation, a sum and an enlargement match their formulas', async () => {
  const layers = [
    layer('InputLayer', 'in', [], {}),
    layer('Conv2D', 'conv', ['in'], { padding: 'same', activation: 'linear', use_bias: true }),
    layer('Activation', 'relu', ['conv'], { activation: 'relu' }),
    layer('Add', 'sum', ['conv', 'relu'], {}),
    layer('Concatenate', 'both', ['sum', 'relu'], {}),
    layer('UpSampling2D', 'large', ['both'], { size: [2, 2], interpolation: 'nearest' }),
  ]
  const { dims, data } = await run(layers, 'large')
  assert.deepEqual(dims, [1, 4, 6, 6])
  for (let channel = 0; channel < 4; channel += 1) {
    for (let y = 0; y < 6; y += 1) {
      for (let x = 0; x < 6; x += 1) {
        const value = convolved(channel % 2, x >> 1, y >> 1)
        const expected = channel < 2 ? value + Math.max(0, value) : Math.max(0, value)
        const actual = data[(channel * 6 + y) * 6 + x] ?? Number.NaN
        assert.ok(Math.abs(actual - expected) < 1e-5, `${actual}, not ${expected}, at ${channel}, ${x}, ${y}`)
      }
    }
  }
})

test('rejects an unknown layer instead of skipping it', async () => {
  await assert.rejects(run([layer('Dropout', 'x', ['in'], {})], 'x'), /Dropout/)
})

/** Zero beyond the edges; weights in TensorFlow's order. */
function convolved(output: number, x: number, y: number): number {
  let sum = bias[output] ?? 0
  for (let dy = 0; dy < 3; dy += 1) {
    for (let dx = 0; dx < 3; dx += 1) {
      const [fromX, fromY] = [x + dx - 1, y + dy - 1]
      if (fromX < 0 || fromY < 0 || fromX >= side || fromY >= side) continue
      for (let channel = 0; channel < 3; channel += 1) {
        const weight = kernel[((dy * 3 + dx) * 3 + channel) * 2 + output] ?? 0
        sum += weight * (input[(channel * side + fromY) * side + fromX] ?? 0)
      }
    }
  }
  return sum
}

function layer(class_name: string, name: string, from: string[], config: object) {
  return { class_name, name, config, inbound_nodes: from.length > 0 ? [from.map((each) => [each, 0, 0, {}])] : [] }
}

async function run(layers: object[], output: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-test-'))
  try {
    const weights = [
      { name: 'conv/kernel', shape: [3, 3, 3, 2], dtype: 'float32' },
      { name: 'conv/bias', shape: [2], dtype: 'float32' },
    ]
    const model = {
      modelTopology: { model_config: { config: { layers, output_layers: [[output, 0, 0]] } } },
      weightsManifest: [{ paths: ['a.bin', 'b.bin'], weights }],
    }
    await writeFile(join(folder, 'model.json'), JSON.stringify(model))
    const bytes = Buffer.concat([Buffer.from(kernel.buffer), Buffer.from(bias.buffer)])
    // Shards are cut wherever they are full.
    await writeFile(join(folder, 'a.bin'), bytes.subarray(0, 101))
    await writeFile(join(folder, 'b.bin'), bytes.subarray(101))
    const { InferenceSession, Tensor } = onnxRuntime()
    const session = await InferenceSession.create(await onnxFromLayers(folder))
    const results = await session.run({ input: new Tensor('float32', input, [1, 3, side, side]) })
    const tensor = results.output
    assert.ok(tensor)
    return { dims: [...tensor.dims], data: tensor.data as Float32Array }
  } finally {
    await rm(folder, { recursive: true })
  }
}
