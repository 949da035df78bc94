/**
 * Converts an ncnn model (a .param text of layers, a .bin of weights), as in the package of Upscayl, to ONNX. Meaning
 * of the numbers before `=`: https://github.com/Tencent/ncnn/wiki/operators
 */
import { readFile } from 'node:fs/promises'
import { createParts, type Parts } from './onnx-parts.ts'

interface Layer {
  type: string
  name: string
  inputs: string[]
  outputs: string[]
  params: Map<number, number>
}

/**
 * Converts the files at a path without its extension to a graph from `input` to `output`, both [1, 3, height, width].
 */
export async function onnxFromNcnn(path: string): Promise<Buffer> {
  const [text, bytes] = await Promise.all([readFile(`${path}.param`, 'utf8'), readFile(`${path}.bin`)])
  const [magic, , ...lines] = text.trim().split('\n')
  if (magic?.trim() !== '7767517') throw new Error('not a param file of ncnn')
  const layers = lines.map(parse)
  const weights = createReader(bytes)
  const parts = createParts()
  for (const layer of layers) addLayer(parts, layer, weights)
  weights.end()
  parts.node('Identity', [layers.at(-1)?.outputs[0] ?? ''], 'output')
  return parts.write(
    [{ name: 'input', dims: [1, 3, 'height', 'width'] }],
    [{ name: 'output', dims: [1, 'channels', 'high', 'wide'] }],
  )
}

/** `type name inputs outputs <inputs> <outputs> <number=value>`. */
function parse(line: string): Layer {
  const [type = '', name = '', inputs = '', outputs = '', ...rest] = line.trim().split(/\s+/)
  const params = rest.slice(Number(inputs) + Number(outputs)).map((pair) => pair.split('=').map(Number))
  return {
    type,
    name,
    inputs: rest.slice(0, Number(inputs)).map(blob),
    outputs: rest.slice(Number(inputs), Number(inputs) + Number(outputs)).map(blob),
    params: new Map(params.map(([key = 0, value = 0]) => [key, value])),
  }
}

/** Distinguished from the names of the graph's own input and output, which ncnn also uses. */
function blob(name: string): string {
  return `blob ${name}`
}

function addLayer(parts: Parts, { type, name, inputs, outputs, params }: Layer, weights: Reader): void {
  const [output = ''] = outputs
  const param = (key: number) => params.get(key) ?? 0
  if (type === 'Input') parts.node('Identity', ['input'], output)
  else if (type === 'Split') for (const output of outputs) parts.node('Identity', inputs, output)
  else if (type === 'PReLU') {
    const count = param(0)
    parts.node('PRelu', [...inputs, parts.tensor(name, [count, 1, 1], weights.floats(count))], output)
  } else if (type === 'Convolution') addConvolution(parts, { name, inputs, output, param }, weights)
  else if (type === 'PixelShuffle') {
    parts.node('DepthToSpace', inputs, output, { blocksize: param(0), mode: 'CRD' })
  } else if (type === 'Interp' && param(0) === 1) {
    const scales = parts.constant([4], [1, 1, param(1), param(2)])
    const asRepeated = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' }
    parts.node('Resize', [...inputs, '', scales], output, asRepeated)
  } else if (type === 'BinaryOp' && param(0) === 0) parts.node('Add', inputs, output)
  else throw new Error(`no such layer is known: ${type}`)
}

interface Convolution {
  name: string
  inputs: string[]
  output: string
  param(key: number): number
}

function addConvolution(parts: Parts, { name, inputs, output, param }: Convolution, weights: Reader): void {
  const [channels, side, pad, hasBias, count, activation] = [0, 1, 4, 5, 6, 9].map(param) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (activation !== 0) throw new Error(`no such activation is known: ${activation}`)
  const dims = [channels, count / channels / side / side, side, side]
  const from = [...inputs, parts.tensor(`${name} weights`, dims, weights.tagged(count))]
  if (hasBias === 1) from.push(parts.tensor(`${name} bias`, [channels], weights.floats(channels)))
  parts.node('Conv', from, output, { kernel_shape: [side, side], pads: [pad, pad, pad, pad] })
}

interface Reader {
  floats(count: number): Float32Array
  /** Weights preceded by their storage type: 0 for floats, otherwise halves. */
  tagged(count: number): Float32Array
  end(): void
}

const halves = 0x01306b47

function createReader(bytes: Buffer): Reader {
  let at = 0
  const floats = (count: number) => {
    const found = Float32Array.from({ length: count }, (_, index) => bytes.readFloatLE(at + 4 * index))
    at += 4 * count
    return found
  }
  return {
    floats,
    tagged(count) {
      const tag = bytes.readUInt32LE(at)
      at += 4
      if (tag === 0) return floats(count)
      if (tag !== halves) throw new Error(`weights are stored in a way that is not known: ${tag.toString(16)}`)
      const found = new Float32Array(count)
      const view = new DataView(bytes.buffer, bytes.byteOffset + at, 2 * count)
      for (let index = 0; index < count; index += 1) found[index] = view.getFloat16(2 * index, true)
      // Padded to a multiple of four bytes.
      at += (2 * count + 3) & ~3
      return found
    },
    end() {
      if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes of weights are left over`)
    },
  }
}
