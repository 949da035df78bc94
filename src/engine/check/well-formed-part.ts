/** Drops the schema-invalid parts of a document, so that semantic checks still run on the rest. */
import { isObject } from '../../../shared/values.ts'
import { Delivery } from '../../domain/delivery/delivery.ts'
import { checker } from '../../domain/validate.ts'
import { OpenAi } from '../../domain/workflows/openai.ts'
import { OutputSettings } from '../../domain/workflows/output.ts'
import { NamedOutputSettings } from '../../domain/workflows/outputs.ts'
import {
  type NamedOutput,
  ParameterDeclaration,
  type WorkflowDocument,
  type WorkflowExample,
  type WorkflowNode,
} from '../../domain/workflows/workflow.ts'
import { limits } from '../../limits.ts'

/** Drops malformed parts, which the schema reports. Undefined without nodes. */
export function wellFormedPart(document: unknown): WorkflowDocument | undefined {
  if (!isObject(document) || !isObject(document.nodes)) return undefined
  const { parameters, nodes, output, outputs, examples, delivery, openai } = document
  // The schema reports these, and some checks take time that grows with the square of the number.
  if (Object.keys(nodes).length > limits.nodesMax) return undefined
  if (Array.isArray(parameters) && parameters.length > limits.parametersMax) return undefined
  // If the output is missing, any node replaces it: the issues of other nodes don't depend on it.
  const [anyNode = ''] = Object.keys(nodes)
  return {
    name: '',
    parameters: Array.isArray(parameters) ? parameters.filter(isDeclaration).map(declarationPart) : [],
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, nodePart(node)])),
    examples: Array.isArray(examples) ? examples.filter(isExample) : [],
    ...(isDelivery(delivery) ? { delivery } : {}),
    ...(isOpenAi(openai) ? { openai } : {}),
    output: isObject(output) && typeof output.node === 'string' ? outputPart(output) : { node: anyNode },
    outputs: outputsPart(outputs),
  }
}

function isDeclaration(value: unknown): value is ParameterDeclaration {
  return isObject(value) && typeof value.name === 'string' && (value.type === 'string' || value.type === 'number')
}

const checkDeclaration = checker(ParameterDeclaration)
/** Fields that mean nothing without a format. */
const fieldsOfFormat = ['default', 'enum', 'labels', 'schema']

/** The declaration without its malformed fields. Name and type are kept, so that templates can name the parameter. */
function declarationPart(declaration: ParameterDeclaration): ParameterDeclaration {
  const malformed = new Set(checkDeclaration(declaration).map(({ path }) => path.split('.', 1)[0]))
  const isDropped = (field: string) =>
    malformed.has(field) || (malformed.has('format') && fieldsOfFormat.includes(field))
  const { name, type } = declaration
  const kept = Object.entries(declaration).filter(([field]) => !isDropped(field))
  return { ...Object.fromEntries(kept), name, type } as ParameterDeclaration
}

function isExample(value: unknown): value is WorkflowExample {
  return (
    isObject(value) && typeof value.name === 'string' && (value.parameters === undefined || isObject(value.parameters))
  )
}

const checkDelivery = checker(Delivery)

function isDelivery(value: unknown): value is Delivery {
  return checkDelivery(value).length === 0
}

const checkOpenAi = checker(OpenAi)

function isOpenAi(value: unknown): value is OpenAi {
  return checkOpenAi(value).length === 0
}

function nodePart(node: unknown): WorkflowNode {
  const { type, workflow, inputs, params, each, when, pinned } = isObject(node) ? node : {}
  return {
    type: typeof type === 'string' ? type : '',
    ...(typeof workflow === 'string' ? { workflow } : {}),
    inputs: Object.fromEntries(Object.entries(isObject(inputs) ? inputs : {}).filter(isWire)),
    params: isObject(params) ? params : {},
    ...(each === undefined ? {} : { each }),
    ...(typeof when === 'string' || typeof when === 'boolean' ? { when } : {}),
    ...(typeof pinned === 'string' ? { pinned } : {}),
  }
}

function isWire(entry: [string, unknown]): entry is [string, string | string[]] {
  const [, value] = entry
  if (Array.isArray(value) && value.length > limits.inputWiresMax) return false
  return typeof value === 'string' || (Array.isArray(value) && value.every((id) => typeof id === 'string'))
}

function outputPart(output: Record<string, unknown>): WorkflowDocument['output'] {
  const known = Object.entries(output).filter(([name]) => Object.hasOwn(OutputSettings.properties, name))
  return { ...Object.fromEntries(known), node: String(output.node) }
}

function outputsPart(outputs: unknown): Record<string, NamedOutput> {
  if (!isObject(outputs) || Object.keys(outputs).length >= limits.outputFilesMax) return {}
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([name, output]) => {
      if (!isObject(output) || !isNodeOrNodes(output.node)) return []
      const known = Object.entries(output).filter(([name]) => Object.hasOwn(NamedOutputSettings.properties, name))
      return [[name, { ...Object.fromEntries(known), node: output.node }]]
    }),
  )
}

function isNodeOrNodes(node: unknown): node is string | string[] {
  if (Array.isArray(node) && node.length > limits.outputPagesMax) return false
  return [node].flat().every((id) => typeof id === 'string')
}
