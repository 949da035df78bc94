/**
 * Converts a TensorFlow Lite model (tensorflow/lite/schema/schema.fbs), such as MediaPipe's selfie segmentation, to
 * ONNX with channels first. Its weights are halves, each followed by an operator that converts them to floats.
 */
import { rootOf, type Table } from './flatbuffer.ts'
import { createParts, type Parts } from './onnx-parts.ts'

/** Values of the enumeration BuiltinOperator. */
const operators: Record<number, string> = {
  0: 'Add',
  1: 'AveragePool',
  3: 'Conv',
  4: 'DepthwiseConv',
  6: 'Dequantize',
  14: 'Sigmoid',
  18: 'Mul',
  19: 'Relu',
  23: 'ResizeBilinear',
  32: 'Custom',
  117: 'HardSwish',
}

interface Step {
  op: string
  inputs: string[]
  output: string
  outputDims: number[]
  options: Table | undefined
}

interface Constant {
  dims: number[]
  data: Float32Array
}

/** A graph from `input` to `output`, both [1, channels, height, width] in the fixed sizes of the model. */
export function onnxFromTflite(bytes: Buffer): Buffer {
  const model = rootOf(bytes)
  const [graph] = model.tables(2)
  const [inputAt, outputAt] = [graph?.ints(1)[0], graph?.ints(2)[0]]
  if (graph === undefined || inputAt === undefined || outputAt === undefined) throw new Error('the model has no graph')
  const tensors = graph
    .tables(0)
    .map((tensor) => ({ dims: tensor.ints(0), type: tensor.byte(1), buffer: tensor.int(2) }))
  const dimsOf = (at: number) => tensors[at]?.dims ?? []
  const buffers = model.tables(4)
  const codes = model.tables(1).map((code) => operators[Math.max(code.byte(0), code.int(3))] ?? 'unknown')
  const constants = new Map<string, Constant>()
  for (const [at, { dims, type, buffer }] of tensors.entries()) {
    const data = buffers[buffer]?.bytes(0)
    if (type === float16 && data !== undefined && data.length > 0)
      constants.set(`${at}`, { dims, data: fromHalves(data) })
  }
  const parts = createParts()
  parts.node('Identity', ['input'], `${inputAt}`)
  for (const table of graph.tables(3)) {
    const at = table.ints(2)[0] ?? -1
    const inputs = table.ints(1).map(String)
    addStep(
      parts,
      { op: codes[table.int(0)] ?? '', inputs, output: `${at}`, outputDims: dimsOf(at), options: table.table(4) },
      constants,
    )
  }
  parts.node('Identity', [`${outputAt}`], 'output')
  return parts.write(
    [{ name: 'input', dims: channelsFirst(dimsOf(inputAt)) }],
    [{ name: 'output', dims: channelsFirst(dimsOf(outputAt)) }],
  )
}

/** Values of the enumeration TensorType. */
const float16 = 1

function fromHalves(bytes: Buffer): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => view.getFloat16(2 * at, true))
}

function channelsFirst([batch = 1, height = 1, width = 1, channels = 1]: number[]): number[] {
  return [batch, channels, height, width]
}

function addStep(parts: Parts, step: Step, constants: Map<string, Constant>): void {
  const { op, inputs, output, outputDims, options } = step
  const [first = '', second = '', third = ''] = inputs
  if (op === 'Dequantize') {
    const constant = constants.get(first)
    if (constant) constants.set(output, constant)
  } else if (op === 'Add' || op === 'Mul' || op === 'Sigmoid' || op === 'Relu') parts.node(op, inputs, output)
  else if (op === 'HardSwish') {
    const gate = parts.node('HardSigmoid', inputs, `${output} gate`, { alpha: { float: 1 / 6 }, beta: { float: 0.5 } })
    parts.node('Mul', [first, gate], output)
  } else if (op === 'AveragePool' && outputDims[1] === 1 && outputDims[2] === 1) {
    parts.node('GlobalAveragePool', inputs, output)
  } else if (op === 'ResizeBilinear' && options?.byte(3) === 1) {
    const sizes = parts.integers(channelsFirst(outputDims))
    parts.node('Resize', [first, '', '', sizes], output, {
      mode: 'linear',
      coordinate_transformation_mode: 'half_pixel',
    })
  } else addConvolution(parts, step, weightsOf(constants, second), weightsOf(constants, third))
}

function addConvolution(parts: Parts, { op, inputs, output, options }: Step, kernel: Constant, bias: Constant): void {
  const [first = '', second = '', third = ''] = inputs
  const [out = 1, height = 1, width = 1, last = 1] = kernel.dims
  const biasName = parts.tensor(third, bias.dims, bias.data)
  const strides = [options?.int(2) ?? 2, options?.int(1) ?? 2]
  if (op === 'Conv') {
    const name = parts.tensor(second, [out, last, height, width], lastToSecond(kernel))
    parts.node('Conv', [first, name, biasName], output, { strides, auto_pad: 'SAME_UPPER' })
  } else if (op === 'DepthwiseConv' && out === 1) {
    // [1, height, width, channels]: the same permutation, with one of each.
    const name = parts.tensor(second, [last, 1, height, width], lastToSecond(kernel))
    parts.node('Conv', [first, name, biasName], output, { strides, auto_pad: 'SAME_UPPER', group: last })
  } else if (op === 'Custom' && out === 1 && height === 2 && width === 2) {
    // MediaPipe's Convolution2DTransposeBias, which doubles the size.
    const name = parts.tensor(second, [last, out, height, width], lastToSecond(kernel))
    parts.node('ConvTranspose', [first, name, biasName], output, { strides: [2, 2] })
  } else throw new Error(`no such operator is known: ${op} ${kernel.dims}`)
}

function weightsOf(constants: Map<string, Constant>, name: string): Constant {
  const found = constants.get(name)
  if (found === undefined) throw new Error(`there are no weights ${name}`)
  return found
}

/** [a, height, width, b] to [a, b, height, width]. */
function lastToSecond({ dims: [a = 1, height = 1, width = 1, b = 1], data }: Constant): Float32Array {
  const moved = new Float32Array(data.length)
  const area = height * width
  for (let i = 0; i < a; i += 1) {
    for (let at = 0; at < area; at += 1) {
      for (let j = 0; j < b; j += 1) moved[(i * b + j) * area + at] = data[(i * area + at) * b + j] as number
    }
  }
  return moved
}
