/**
 * Checks the structure of an ONNX file before the runtime reads it: that it is one, that it is complete, and that it names no
 * other files. Field numbers are those of onnx.proto.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { type Fault, failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { BadProto, openProto, type ProtoFile } from './proto-reader.ts'

/** Throws a fault that says what is wrong with the file. */
export function checkOnnx(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    const proto = openProto(descriptor, fstatSync(descriptor).size)
    const check = { proto, messages: 0 }
    checkMessage(check, 'model', 0, proto.size, 0)
    const numbers = new Set([...proto.fields(0, proto.size)].map(({ number }) => number))
    if (!numbers.has(modelGraph)) throw invalid('it has no graph')
    if (!numbers.has(modelOpsets)) throw invalid('it names no operator set')
  } catch (error) {
    if (error instanceof BadProto) throw invalid(error.message)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function invalid(problem: string): Fault {
  return failure('input_invalid', `The file is not a valid ONNX model: ${problem}. Export or download it again.`)
}

const modelGraph = 7
const modelOpsets = 8

type Message = 'model' | 'graph' | 'node' | 'attribute' | 'tensor' | 'sparseTensor' | 'opset' | 'function' | 'training'

/** The messages below each message, by the number of their field. */
const parts: Record<Message, Readonly<Record<number, Message>>> = {
  model: { 7: 'graph', 8: 'opset', 20: 'training', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparseTensor' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparseTensor', 23: 'sparseTensor' },
  tensor: {},
  sparseTensor: { 1: 'tensor', 2: 'tensor' },
  opset: {},
  function: { 7: 'node', 9: 'opset', 11: 'attribute' },
  training: { 1: 'graph', 2: 'graph' },
}

const tensorExternalData = 13
const tensorDataLocation = 14
const opsetDomain = 1
const nodeDomain = 7

/** Operators of the standard, and those of the runtime. Others need a library. */
const domains = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'ai.onnx.preview.training', 'com.microsoft'])

interface Check {
  proto: ProtoFile
  /** Checked until now. */
  messages: number
}

function checkMessage(check: Check, message: Message, start: number, end: number, depth: number): void {
  check.messages += 1
  if (check.messages > limits.onnxMessagesMax || depth > limits.onnxDepthMax) {
    throw failure(
      'limit_exceeded',
      `The model is too complex: it has more than ${limits.onnxMessagesMax} nodes and tensors, or graphs nested deeper than ${limits.onnxDepthMax} levels.`,
    )
  }
  for (const field of check.proto.fields(start, end)) {
    const part = parts[message][field.number]
    if (part !== undefined) checkMessage(check, part, field.start, field.end, depth + 1)
    else if (message === 'tensor' && isExternal(field.number, field.value)) {
      throw failure(
        'input_invalid',
        'The model has weights in other files ("external data"), which are not supported. Export it as one file.',
      )
    } else if (
      (message === 'opset' && field.number === opsetDomain) ||
      (message === 'node' && field.number === nodeDomain)
    ) {
      const domain = check.proto.text(field)
      if (!domains.has(domain)) {
        throw failure(
          'input_invalid',
          `The model uses operators of ${JSON.stringify(domain)}, which the runtime doesn't have.`,
        )
      }
    }
  }
}

function isExternal(number: number, value: number): boolean {
  return number === tensorExternalData || (number === tensorDataLocation && value === 1)
}
