import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { withFile } from '../../imaging/raster/test-images.ts'
import { limits } from '../../limits.ts'
import { checkOnnx } from './check-onnx.ts'
import { channelMask } from './test-onnx.ts'

/** A field with a length, as in onnx.proto. */
function field(number: number, ...parts: (Buffer | string)[]): Buffer {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

const [modelGraph, modelOpset, graphNode, graphTensor, nodeDomain, nodeAttribute, attributeGraph] = [
  7, 8, 1, 5, 7, 5, 6,
]
const opset = field(modelOpset, field(1, ''))

async function check(bytes: Buffer): Promise<void> {
  await withFile(bytes, async (path) => checkOnnx(path))
}

test('accepts a complete model, and refuses each part of it', async () => {
  const good = channelMask(0)
  await check(good)
  for (let length = 0; length < good.length; length += 1) {
    await assert.rejects(
      check(good.subarray(0, length)),
      isFault('input_invalid', /not a valid ONNX model/),
      `${length} bytes`,
    )
  }
})

test('refuses weights in other files, by their location and by their path', async () => {
  const paths = [field(13, field(1, 'location'), field(2, '../../etc/passwd')), Buffer.from([14 * 8, 1])]
  for (const external of paths) {
    const model = Buffer.concat([field(modelGraph, field(graphTensor, external)), opset])
    await assert.rejects(check(model), isFault('input_invalid', /weights in other files/))
    // In the attribute of a node, in a graph of an attribute: If and Loop have such graphs.
    const inside = field(nodeAttribute, field(attributeGraph, field(graphTensor, external)))
    const nested = Buffer.concat([field(modelGraph, field(graphNode, inside)), opset])
    await assert.rejects(check(nested), isFault('input_invalid', /weights in other files/))
  }
})

test('refuses operators that need a library, in the graph and in the list', async () => {
  const node = Buffer.concat([field(modelGraph, field(graphNode, field(nodeDomain, 'my.plugin'))), opset])
  await assert.rejects(check(node), isFault('input_invalid', /operators of "my\.plugin"/))
  const listed = Buffer.concat([field(modelGraph), field(modelOpset, field(1, 'other'))])
  await assert.rejects(check(listed), isFault('input_invalid', /operators of "other"/))
})

test('refuses graphs nested deeper, and more nodes, than the limits', async () => {
  let graph = field(1)
  for (let depth = 0; depth < limits.onnxDepthMax; depth += 1) {
    graph = field(graphNode, field(nodeAttribute, field(attributeGraph, graph)))
  }
  await assert.rejects(
    check(Buffer.concat([field(modelGraph, graph), opset])),
    isFault('limit_exceeded', /nested deeper/),
  )
  const nodes = Buffer.alloc(2 * (limits.onnxMessagesMax + 1))
  for (let at = 0; at < nodes.length; at += 2) nodes[at] = graphNode * 8 + 2
  await assert.rejects(
    check(Buffer.concat([field(modelGraph, nodes), opset])),
    isFault('limit_exceeded', /more than 2000000/),
  )
})

test('refuses lengths beyond the end, and numbers without an end', async () => {
  const broken = [
    Buffer.from([modelGraph * 8 + 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    Buffer.alloc(100, 0xff),
    Buffer.from([0, 0]),
    Buffer.from([modelGraph * 8 + 3]),
  ]
  for (const bytes of broken) await assert.rejects(check(bytes), isFault('input_invalid', /not a valid ONNX model/))
})
