/** Turns nodes of a document into a separate workflow, and replaces them by one node that uses it. */
import { type Catalogue, workflowType } from '../../api/operations.ts'
import type { NamedOutput, Parameter, WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { addNode, changeOutputs, freeId } from './edits.ts'
import { freeName } from './free-name.ts'
import { positionsOf, removePositions, setPositions } from './layout.ts'
import { parameterNameProblem, usedParameters } from './parameters.ts'
import { mapTexts, renameIn, renameWired } from './references.ts'
import { type Boundary, findBoundary, type Source } from './selection-boundary.ts'
import { sourceText } from './wires.ts'

export interface Turned {
  /** The new workflow. */
  inner: WorkflowDocument
  /** The document with a node that uses the new workflow, in version 1. */
  outer: WorkflowDocument
  /** The id of that node. */
  node: string
}

export interface NewWorkflow {
  name: string
  slug: string
}

/** `problem`: why the nodes can't be a workflow, and what to do. Ids of notes and of the output are ignored. */
export function turnIntoWorkflow(
  document: WorkflowDocument,
  ids: readonly string[],
  { name, slug }: NewWorkflow,
  catalogue: Catalogue,
): Turned | { problem: string } {
  const selected = new Set(ids.filter((id) => Object.hasOwn(document.nodes, id)))
  const found = findBoundary(document, selected, catalogue)
  if ('problem' in found) return found
  const { inner, images } = innerOf(document, selected, found, name)
  return { inner, ...outerOf(document, selected, { boundary: found, inner, images, slug }) }
}

/** `images`: the parameter for each image from outside, by its source. */
function innerOf(document: WorkflowDocument, selected: ReadonlySet<string>, boundary: Boundary, name: string) {
  const originals = Object.entries(document.nodes).filter(([id]) => selected.has(id))
  const read = usedParameters(originals.map(([, { inputs: _, ...texts }]) => texts))
  const inner: WorkflowDocument = {
    name,
    parameters: structuredClone((document.parameters ?? []).filter((parameter) => read.has(parameter.name))),
    nodes: Object.fromEntries(originals),
  }
  const images = new Map<string, string>()
  const nodeOf = new Map<string, string>()
  const loaded = boundary.inputs.map((source): [string, WorkflowNode] => {
    const text = sourceText(source)
    const parameter = addImageParameter(inner, source)
    // The id of the source itself is free, because it isn't selected: HTML that names the node stays as it is.
    const id = freeId(inner, preferredName(source))
    inner.nodes[id] = { type: 'image', params: { source: `{{ ${parameter} }}` } }
    images.set(text, parameter)
    nodeOf.set(text, id)
    return [id, inner.nodes[id]]
  })
  const nodes = originals.map(([id, node]): [string, WorkflowNode] => {
    const { inputs, ...texts } = structuredClone(node)
    const renamed = mapTexts(texts, (text) => renameWired(text, nodeOf))
    return [
      id,
      inputs === undefined
        ? renamed
        : { ...renamed, inputs: mapTexts(inputs, (source) => nodeOf.get(source) ?? source) },
    ]
  })
  inner.nodes = Object.fromEntries([...loaded, ...nodes])
  if (inner.parameters?.length === 0) delete inner.parameters
  const [primary, ...others] = boundary.outputs
  if (primary !== undefined) inner.output = { node: sourceText(primary) }
  if (others.length > 0) inner.outputs = namedOutputs(others)
  const positions = [...positionsOf(document)].filter(([id]) => selected.has(id))
  if (positions.length > 0) setPositions(inner, positions)
  return { inner, images }
}

/** Further words with another meaning in templates. */
const reserved = new Set('item index and or not contains true false nil null empty blank'.split(' '))

/** Returns the name of the parameter. */
function addImageParameter(inner: WorkflowDocument, source: Source): string {
  const name = freeName(
    preferredName(source),
    (candidate) => reserved.has(candidate) || parameterNameProblem(inner, candidate) !== undefined,
  )
  const parameter: Parameter = { name, type: 'string', format: 'image', required: true }
  inner.parameters = [...(inner.parameters ?? []), parameter]
  return name
}

/** `photo`, or `card-story` for a named output. Shorter than the longest name, because a number can follow. */
function preferredName({ source, output }: Source): string {
  return (output === undefined ? source : `${source}-${output}`).slice(0, 60)
}

function namedOutputs(sources: readonly Source[]): Record<string, NamedOutput> {
  const outputs: Record<string, NamedOutput> = {}
  for (const source of sources) {
    const stem = source.output === undefined ? source.source : preferredName(source)
    const name = freeName(stem, (candidate) => Object.hasOwn(outputs, candidate))
    outputs[name] = { node: sourceText(source) }
  }
  return outputs
}

interface Replacement {
  boundary: Boundary
  inner: WorkflowDocument
  images: ReadonlyMap<string, string>
  slug: string
}

function outerOf(
  document: WorkflowDocument,
  selected: ReadonlySet<string>,
  { boundary, inner, images, slug }: Replacement,
): Omit<Turned, 'inner'> {
  const outer = structuredClone(document)
  const [primary] = boundary.outputs
  const others = Object.entries(inner.outputs ?? {})
  for (const id of selected) delete outer.nodes[id]
  const at = positionsOf(document).get(primary?.source ?? '')
  removePositions(outer, selected)
  const passed = (inner.parameters ?? []).filter((parameter) => ![...images.values()].includes(parameter.name))
  const node = addNode(outer, {
    id: slug,
    type: workflowType,
    workflow: `${slug}@1`,
    ...(images.size > 0 ? { inputs: Object.fromEntries([...images].map(([source, name]) => [name, source])) } : {}),
    ...(passed.length > 0
      ? { params: Object.fromEntries(passed.map((parameter) => [parameter.name, `{{ ${parameter.name} }}`])) }
      : {}),
    at,
  })
  const sources = new Map(others.map(([name, { node: source }]) => [String(source), `${node}.${name}`]))
  if (primary !== undefined) sources.set(sourceText(primary), node)
  const rewire = (source: string) => sources.get(source) ?? source
  const rename = (text: string) => {
    const wired = renameWired(text, sources)
    return primary === undefined ? wired : renameIn(wired, 'node', primary.source, node)
  }
  for (const [id, { inputs, ...texts }] of Object.entries(outer.nodes)) {
    if (id === node) continue
    const renamed = mapTexts(texts, rename)
    outer.nodes[id] = inputs === undefined ? renamed : { ...renamed, inputs: mapTexts(inputs, rewire) }
  }
  changeOutputs(outer, ({ node: source, ...settings }) => ({
    ...(source === undefined ? {} : { node: mapTexts(source, rewire) }),
    ...mapTexts(settings, rename),
  }))
  return { outer, node }
}
