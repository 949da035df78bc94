/** Examples of operations as parts of workflow documents, and as complete ones. */
import type { WorkflowDocument, WorkflowNode } from '../../src/domain/workflows/workflow.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import type { Example, Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'

/** The path of a file in the folder of the project. */
const samples = './examples/samples'
const check = createChecker(catalogue)

/** The node of an example; its inputs are nodes with the names of the sockets. */
export function nodeOf(operation: Operation, { inputs = {}, params }: Example): WorkflowNode {
  const wires = Object.entries(inputs).map(([socket, files]) => [
    socket,
    Array.isArray(files) ? files.map((file, i) => idOf(operation, socket, file, i)) : socket,
  ])
  const values = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isSource(operation, name) ? `${samples}/${value}` : value]),
  )
  return {
    type: operation.id,
    ...(wires.length > 0 ? { inputs: Object.fromEntries(wires) } : {}),
    ...(Object.keys(values).length > 0 ? { params: values } : {}),
  }
}

/** A valid document: an `image` node for each input image of the example, and its own. */
export function documentOf(operation: Operation, example: Example): WorkflowDocument {
  const files = Object.entries(example.inputs ?? {}).flatMap(([socket, source]) =>
    Array.isArray(source) ? source.map((file, i) => [idOf(operation, socket, file, i), file]) : [[socket, source]],
  )
  const sources = files.map(([id, file]) => [id, { type: 'image', params: { source: `${samples}/${file}` } }])
  // An operation may have a socket with its own name.
  const node = files.some(([id]) => id === operation.id) ? 'result' : operation.id
  // A node that reads an image comes after an operation without one.
  const [value] = Object.keys(operation.outputs.values ?? {})
  const words = { type: 'text', params: { text: `{{ nodes.${node}.${value} }}` } }
  const reader = operation.outputs.image === undefined ? { words } : {}
  const document: WorkflowDocument = {
    name: `${operation.title}: ${example.name}`,
    nodes: { ...Object.fromEntries(sources), [node]: nodeOf(operation, example), ...reader },
    output: { node: operation.outputs.image === undefined ? 'words' : node, format: 'png' },
  }
  const { issues } = check(document)
  if (issues) throw new Error(`the example "${example.name}" of ${operation.id}: ${JSON.stringify(issues)}`)
  return document
}

/** The params of a named socket contain the ids of its nodes, which are the names of the files. */
function idOf({ inputs }: Operation, socket: string, file: string, index: number): string {
  return inputs[socket]?.named ? file.replace(/\..*/, '') : `${socket}-${index + 1}`
}

function isSource({ params }: Operation, name: string): boolean {
  return (params.properties as Record<string, { 'x-widget'?: string }>)[name]?.['x-widget'] === 'image'
}
