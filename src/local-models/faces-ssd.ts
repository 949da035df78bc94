/**
 * Face detection by SSD on MobileNet v1. face-api publishes the weights as bytes without a graph; the graph is built
 * here, from face-api's src/ssdMobilenetv1.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackagedModel } from './define-model.ts'
import { readWeights, type Weights, type WeightsGroup } from './layers-model.ts'
import { createParts, outFirst, type Parts } from './onnx-parts.ts'

const manifest = 'model/ssd_mobilenetv1_model-weights_manifest.json'

export const facesSsd: PackagedModel = {
  name: 'faces-ssd',
  operation: 'faces',
  summary:
    'Finds faces, from the side too. Takes some animals for people; faces below a thirtieth of the picture are missed.',
  package: {
    name: '@vladmandic/face-api',
    version: '1.7.15',
    integrity: 'sha512-WDMmK3CfNLo8jylWqMoQgf4nIst3M0fzx1dnac96wv/dvMTN4DxC/Pq1DGtduDk1lktCamQ3MIDXFnvrdHTXDw==',
    keep: ['package.json', 'LICENSE', manifest, 'model/ssd_mobilenetv1_model.bin'],
  },
  licence: 'MIT',
  permissive: true,
  bytes: 5_650_000,
  graphs: {
    boxes: {
      load: graphOf,
      input: { name: 'input', layout: 'NCHW', mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5] },
      outputs: { boxes: 'floats', scores: 'floats' },
    },
  },
}

/** Side of the input in pixels: the image at the top left in its aspect ratio, black on the right or below. */
export const facesSide = 512

/** Layers of MobileNet that halve the size. */
const halving = [2, 4, 6, 12]

/** `boxes`: [1, 5118, 4] of top, left, bottom and right, as shares of the side; `scores`: [1, 5118, 1]. */
async function graphOf(folder: string): Promise<Buffer> {
  const groups: WeightsGroup[] = JSON.parse(await readFile(join(folder, manifest), 'utf8'))
  const net = createNet(createParts(), await readWeights(join(folder, 'model'), groups))
  let features = net.convolution('input', 'MobilenetV1/Conv2d_0_pointwise', 2)
  const sources: string[] = []
  for (let layer = 1; layer <= 13; layer += 1) {
    const through = net.byChannel(features, `MobilenetV1/Conv2d_${layer}_depthwise`, halving.includes(layer) ? 2 : 1)
    features = net.convolution(through, `MobilenetV1/Conv2d_${layer}_pointwise`, 1)
    if (layer === 11 || layer === 13) sources.push(features)
  }
  for (let layer = 0; layer <= 7; layer += 1) {
    features = net.convolution(features, `Prediction/Conv2d_${layer}_pointwise`, layer % 2 === 1 ? 2 : 1)
    if (layer % 2 === 1) sources.push(features)
  }
  const predictions = (kind: string, values: number) =>
    sources.map((source, at) => net.prediction(source, `Prediction/BoxPredictor_${at}/${kind}`, values))
  const [encoded, classes] = [predictions('BoxEncodingPredictor', 4), predictions('ClassPredictor', 3)]
  return net.finish(encoded, classes)
}

function createNet(parts: Parts, weights: Map<string, Weights>) {
  const get = (name: string): Weights => {
    const found = weights.get(name)
    if (found === undefined) throw new Error(`there are no weights ${name}`)
    return found
  }
  const kernel = (name: string) => {
    const { shape, data } = get(name)
    const [height = 1, width = 1, input = 1, output = 1] = shape
    const dims = [output, input, height, width]
    return { dims, name: parts.tensor(name, dims, outFirst(data, [height, width, input, output])) }
  }
  const clipped = (from: string, name: string) =>
    parts.node('Clip', [from, parts.constant([], [0]), parts.constant([], [6])], name)
  const slice = (from: string, start: number, end: number, name: string) =>
    parts.node('Slice', [from, parts.integers([start]), parts.integers([end]), parts.integers([2])], name)
  return {
    convolution(from: string, name: string, stride: number): string {
      const offset = get(`${name}/convolution_bn_offset`)
      const inputs = [from, kernel(`${name}/weights`).name, parts.tensor(`${name} offset`, offset.shape, offset.data)]
      return clipped(
        parts.node('Conv', inputs, name, { strides: [stride, stride], auto_pad: 'SAME_UPPER' }),
        `${name} out`,
      )
    },
    /** The normalisation that follows is folded into the weights, because it is linear too. */
    byChannel(from: string, name: string, stride: number): string {
      const { shape, data } = get(`${name}/depthwise_weights`)
      const [height = 1, width = 1, channels = 1] = shape
      const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
        (part) => get(`${name}/BatchNorm/${part}`).data,
      ) as [Float32Array, Float32Array, Float32Array, Float32Array]
      const factor = gamma.map((value, at) => value / Math.sqrt((variance[at] as number) + batchNormEpsilon))
      const moved = outFirst(data, [height, width, 1, channels])
      const scaled = moved.map((value, at) => value * (factor[Math.floor(at / (height * width))] as number))
      const shifts = beta.map((value, at) => value - (mean[at] as number) * (factor[at] as number))
      const inputs = [
        from,
        parts.tensor(`${name} weights`, [channels, 1, height, width], scaled),
        parts.tensor(`${name} offset`, [channels], shifts),
      ]
      const attributes = { strides: [stride, stride], auto_pad: 'SAME_UPPER', group: channels }
      return clipped(parts.node('Conv', inputs, name, attributes), `${name} out`)
    },
    /** [1, positions, values]. */
    prediction(from: string, name: string, values: number): string {
      const biases = get(`${name}/biases`)
      const inputs = [from, kernel(`${name}/weights`).name, parts.tensor(`${name}/biases`, biases.shape, biases.data)]
      const last = parts.node('Transpose', [parts.node('Conv', inputs, name)], `${name} last`, { perm: [0, 2, 3, 1] })
      return parts.node('Reshape', [last, parts.integers([1, -1, values])], `${name} out`)
    },
    /** Predictions are offsets from anchor boxes that are spread over the image: face-api's outputLayer.ts. */
    finish(encoded: string[], classes: string[]): Buffer {
      const { shape, data } = get('Output/extra_dim')
      const count = shape[1] ?? 0
      const of = (formula: (top: number, left: number, bottom: number, right: number) => [number, number]) =>
        Array.from({ length: count }, (_, at) => {
          const [top = 0, left = 0, bottom = 0, right = 0] = data.subarray(4 * at, 4 * at + 4)
          return formula(top, left, bottom, right)
        }).flat()
      const sizes = of((top, left, bottom, right) => [bottom - top, right - left])
      const centers = of((top, left, bottom, right) => [(top + bottom) / 2, (left + right) / 2])
      const constant = (values: number[]) => parts.constant([1, count, 2], values)
      const all = parts.node('Concat', encoded, 'encoded', { axis: 1 })
      const moved = parts.node('Mul', [slice(all, 0, 2, 'moves'), constant(sizes.map((size) => size / 10))], 'moved')
      const center = parts.node('Add', [moved, constant(centers)], 'center')
      const fifth = parts.node('Mul', [slice(all, 2, 4, 'growths'), parts.constant([], [0.2])], 'fifth')
      const grown = parts.node('Exp', [fifth], 'grown')
      const half = parts.node('Mul', [grown, constant(sizes.map((size) => size / 2))], 'half')
      const corners = [parts.node('Sub', [center, half], 'first'), parts.node('Add', [center, half], 'last')]
      parts.node('Concat', corners, 'boxes', { axis: 2 })
      const scores = parts.node('Concat', classes, 'classes', { axis: 1 })
      parts.node('Sigmoid', [slice(scores, 1, 2, 'faces')], 'scores')
      const input = { name: 'input', dims: [1, 3, facesSide, facesSide] }
      return parts.write(
        [input],
        [
          { name: 'boxes', dims: [1, count, 4] },
          { name: 'scores', dims: [1, count, 1] },
        ],
      )
    },
  }
}

const batchNormEpsilon = 0.001
