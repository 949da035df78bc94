/**
 * Reads a document from any JSON: drafts and pasted text can contain anything, but the editor relies on a few shapes.
 */
import { isObject } from '../../../shared/values.ts'
import type { NamedOutput, OutputSettings, Parameter, WorkflowDocument, WorkflowNode } from './workflow-document.ts'

/** Undefined if the value has no `nodes`. Leaves out invalid nodes, parameters, outputs and wires, and keeps everything else. */
export function asDocument(value: unknown): WorkflowDocument | undefined {
  if (!isObject(value) || !isObject(value.nodes)) return undefined
  const { name, nodes, parameters, output, outputs, examples, ...rest } = value
  const read: WorkflowDocument = {
    ...rest,
    name: typeof name === 'string' ? name : '',
    nodes: Object.fromEntries(Object.entries(nodes).flatMap(([id, node]) => asNode(id, node))),
  }
  if (Array.isArray(parameters)) read.parameters = parameters.filter(isParameter)
  if (isObject(output)) read.output = asOutput(output)
  if (isObject(outputs)) {
    const named = Object.entries(outputs).flatMap(([name, declared]) =>
      isObject(declared) ? [[name, asNamed(declared)]] : [],
    )
    if (named.length > 0) read.outputs = Object.fromEntries(named)
  }
  if (Array.isArray(examples)) read.examples = examples.filter(isExample)
  return read
}

export const emptyDocument: WorkflowDocument = { name: 'Untitled', nodes: {} }

function asNode(id: string, value: unknown): [string, WorkflowNode][] {
  if (!isObject(value) || typeof value.type !== 'string') return []
  const { inputs, params, ...rest } = value
  const node: WorkflowNode = { ...rest, type: value.type }
  if (isObject(inputs)) {
    const wires = Object.entries(inputs).filter((entry): entry is [string, string | string[]] => isSource(entry[1]))
    if (wires.length > 0) node.inputs = Object.fromEntries(wires)
  }
  if (isObject(params)) node.params = params
  return [[id, node]]
}

function asOutput({ node, ...settings }: Record<string, unknown>): OutputSettings {
  return typeof node === 'string' ? { node, ...settings } : settings
}

function asNamed({ node, ...settings }: Record<string, unknown>): NamedOutput {
  return isSource(node) ? { node, ...settings } : settings
}

function isSource(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((id) => typeof id === 'string'))
}

function isParameter(value: unknown): value is Parameter {
  return isObject(value) && typeof value.name === 'string'
}

function isExample(value: unknown): value is { name: string } {
  return isObject(value) && typeof value.name === 'string'
}
