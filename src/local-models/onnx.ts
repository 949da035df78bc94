/**
 * Writes ONNX: the five messages of its protobuf schema (onnx/onnx.proto) that a convolutional graph needs. The
 * models in npm packages have other formats and are converted to this one for the runtime.
 */

export interface OnnxNode {
  op: string
  /** Names of tensors; an empty name omits an optional input. */
  inputs: string[]
  outputs: string[]
  attributes?: Record<string, Attribute>
}

/** Integers are written as INT and lists of them as INTS; use `float` for a FLOAT. */
export type Attribute = number | readonly number[] | string | { float: number }

export interface OnnxTensor {
  name: string
  dims: readonly number[]
  data: Float32Array | BigInt64Array
}

/** A size that is only known at run time has a name instead of a number. */
export interface OnnxValue {
  name: string
  dims: readonly (number | string)[]
}

export interface OnnxGraph {
  nodes: OnnxNode[]
  /** Weights and constants. */
  tensors: OnnxTensor[]
  inputs: OnnxValue[]
  outputs: OnnxValue[]
}

/** Opset 13 has every operator that is written here, and every runtime since 2020 supports it. */
const opset = 13
const irVersion = 8

export function writeOnnx({ nodes, tensors, inputs, outputs }: OnnxGraph): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((node) => bytesField(1, nodeBytes(node))),
    bytesField(2, 'graph'),
    ...tensors.map((tensor) => bytesField(5, tensorBytes(tensor))),
    ...inputs.map((value) => bytesField(11, valueBytes(value))),
    ...outputs.map((value) => bytesField(12, valueBytes(value))),
  ])
  const domain = Buffer.concat([bytesField(1, ''), intField(2, opset)])
  return Buffer.concat([intField(1, irVersion), bytesField(7, graph), bytesField(8, domain)])
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => bytesField(1, name)),
    ...outputs.map((name) => bytesField(2, name)),
    bytesField(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeBytes(name, value))),
  ])
}

/** AttributeProto; its `type` (field 20) is 1 FLOAT, 2 INT, 3 STRING or 7 INTS. */
function attributeBytes(name: string, value: Attribute): Buffer {
  const head = bytesField(1, name)
  if (typeof value === 'number') return Buffer.concat([head, intField(3, value), intField(20, 2)])
  if (typeof value === 'string') return Buffer.concat([head, bytesField(4, value), intField(20, 3)])
  if ('float' in value) return Buffer.concat([head, floatField(2, value.float), intField(20, 1)])
  return Buffer.concat([head, ...value.map((number) => intField(8, number)), intField(20, 7)])
}

const elementTypes = { float: 1, int64: 7 }

function tensorBytes({ name, dims, data }: OnnxTensor): Buffer {
  return Buffer.concat([
    ...dims.map((dim) => intField(1, dim)),
    intField(2, data instanceof Float32Array ? elementTypes.float : elementTypes.int64),
    bytesField(8, name),
    // Little-endian, like every platform of the runtime.
    bytesField(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ])
}

function valueBytes({ name, dims }: OnnxValue): Buffer {
  const shape = dims.map((dim) => bytesField(1, typeof dim === 'string' ? bytesField(2, dim) : intField(1, dim)))
  const tensorType = Buffer.concat([intField(1, elementTypes.float), bytesField(2, Buffer.concat(shape))])
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensorType))])
}

const wire = { varint: 0, bytes: 2, fixed32: 5 }

function intField(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | wire.varint), varint(value)])
}

function bytesField(field: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint((field << 3) | wire.bytes), varint(bytes.length), bytes])
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint((field << 3) | wire.fixed32), bytes])
}

/** Varint: seven bits per byte, lowest first; negative numbers as 64-bit two's complement. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}
