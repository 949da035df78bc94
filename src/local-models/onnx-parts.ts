/** Builds an ONNX graph: nodes and weights by name, for the converters of other formats. */
import { type Attribute, type OnnxNode, type OnnxTensor, type OnnxValue, writeOnnx } from './onnx.ts'

export interface Parts {
  node(op: string, inputs: string[], output: string, attributes?: Record<string, Attribute>): string
  tensor(name: string, dims: readonly number[], data: Float32Array): string
  /** A small constant; its name is generated. */
  constant(dims: readonly number[], data: readonly number[]): string
  /** A constant of integers, for shapes and axes. */
  integers(data: readonly number[]): string
  write(inputs: OnnxValue[], outputs: OnnxValue[]): Buffer
}

export function createParts(): Parts {
  const nodes: OnnxNode[] = []
  const tensors: OnnxTensor[] = []
  const constantName = () => `constant${tensors.length}`
  return {
    node(op, inputs, output, attributes = {}) {
      nodes.push({ op, inputs, outputs: [output], attributes })
      return output
    },
    tensor(name, dims, data) {
      tensors.push({ name, dims, data })
      return name
    },
    constant(dims, data) {
      return this.tensor(constantName(), dims, Float32Array.from(data))
    },
    integers(data) {
      const name = constantName()
      tensors.push({ name, dims: [data.length], data: BigInt64Array.from(data, BigInt) })
      return name
    },
    write: (inputs, outputs) => writeOnnx({ nodes, tensors, inputs, outputs }),
  }
}

/**
 * Convolution weights in the order of ONNX: [out, in, height, width]. TensorFlow has [height, width, in, out], and
 * [height, width, in, 1] for depthwise convolutions.
 */
export function outFirst(
  data: Float32Array,
  [height, width, input, output]: readonly [number, number, number, number],
) {
  const moved = new Float32Array(data.length)
  let from = 0
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let i = 0; i < input; i += 1) {
        for (let o = 0; o < output; o += 1) {
          moved[((o * input + i) * height + y) * width + x] = data[from] as number
          from += 1
        }
      }
    }
  }
  return moved
}
