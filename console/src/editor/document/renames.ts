/** Detects renamed nodes and parameters between two documents, by their settings and connections. */

import type { Parameter, WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { renameNode } from './edits.ts'
import { renameParameter } from './parameters.ts'
import { mapTexts, referencesIn, renameIn } from './references.ts'
import { wiresOf } from './wires.ts'

export interface Renamed {
  /** The earlier document with the names of the later one. */
  document: WorkflowDocument
  /** New name -> old name. */
  nodes: Map<string, string>
  parameters: Map<string, string>
}

/** Threshold: from this similarity, two nodes are the same node. */
const similarityMin = 0.6
/** Each match makes the neighbours of the node more similar. */
const roundsMax = 4

export function findRenames(before: WorkflowDocument, after: WorkflowDocument): Renamed {
  const document = structuredClone(before)
  const parameters = new Map<string, string>()
  const nodes = new Map<string, string>()
  for (const [from, to] of pairs(parameterNames(document, after), (a, b) => parameterSimilarity(document, after, a, b)))
    if (renameParameter(document, from, to) === undefined) parameters.set(to, from)
  for (let round = 0; round < roundsMax; round++) {
    const found = pairs(nodeIds(document, after), (a, b) => nodeSimilarity(document, after, a, b))
    for (const [from, to] of found) if (renameNode(document, from, to) === undefined) nodes.set(to, from)
    if (found.length === 0) break
  }
  return { document, nodes, parameters }
}

interface Unmatched {
  removed: string[]
  added: string[]
}

function nodeIds(before: WorkflowDocument, after: WorkflowDocument): Unmatched {
  return unmatched(Object.keys(before.nodes), Object.keys(after.nodes))
}

function parameterNames(before: WorkflowDocument, after: WorkflowDocument): Unmatched {
  const names = ({ parameters = [] }: WorkflowDocument) => parameters.map(({ name }) => name)
  return unmatched(names(before), names(after))
}

function unmatched(before: string[], after: string[]): Unmatched {
  return { removed: before.filter((id) => !after.includes(id)), added: after.filter((id) => !before.includes(id)) }
}

/** Best matches first; each name is in one pair. */
function pairs({ removed, added }: Unmatched, similarity: (from: string, to: string) => number): [string, string][] {
  const all = removed.flatMap((from) => added.map((to) => ({ from, to, score: similarity(from, to) })))
  const chosen: [string, string][] = []
  for (const { from, to, score } of all.toSorted((a, b) => b.score - a.score))
    if (score >= similarityMin && !chosen.some(([a, b]) => a === from || b === to)) chosen.push([from, to])
  return chosen
}

function nodeSimilarity(before: WorkflowDocument, after: WorkflowDocument, from: string, to: string): number {
  const [a, b] = [before.nodes[from], after.nodes[to]]
  if (a === undefined || b === undefined || a.type !== b.type) return 0
  const params = agreement(settings(a), settings(b))
  // A neighbour without a match is compared by its type.
  const [was, is] = [neighbour(before, after), neighbour(after, before)]
  const sources = shared(
    wiresOf(before).flatMap(({ source, target, socket }) => (target === from ? [`${socket} ${was(source)}`] : [])),
    wiresOf(after).flatMap(({ source, target, socket }) => (target === to ? [`${socket} ${is(source)}`] : [])),
  )
  const readers = shared(
    wiresOf(before).flatMap(({ source, target, socket }) => (source === from ? [`${socket} ${was(target)}`] : [])),
    wiresOf(after).flatMap(({ source, target, socket }) => (source === to ? [`${socket} ${is(target)}`] : [])),
  )
  return params * 0.5 + sources * 0.25 + readers * 0.25
}

function neighbour(document: WorkflowDocument, other: WorkflowDocument) {
  return (id: string) => {
    const node = document.nodes[id]
    return node === undefined || Object.hasOwn(other.nodes, id) ? id : `a ${node.type}`
  }
}

function settings({ inputs: _, type: __, ...rest }: WorkflowNode): unknown {
  return rest
}

function parameterSimilarity(before: WorkflowDocument, after: WorkflowDocument, from: string, to: string): number {
  const [a, b] = [declared(before, from), declared(after, to)]
  if (a === undefined || b === undefined || a.type !== b.type) return 0
  const declaration = agreement({ ...a, name: '' }, { ...b, name: '' })
  return declaration * 0.4 + shared(uses(before, from), uses(after, to)) * 0.6
}

function declared({ parameters = [] }: WorkflowDocument, name: string): Parameter | undefined {
  return parameters.find((parameter) => parameter.name === name)
}

/** The texts that read a parameter, without its name. The nodes of these texts can be renamed, too. */
function uses({ nodes, output, outputs }: WorkflowDocument, name: string): string[] {
  const found: string[] = []
  mapTexts([...Object.values(nodes), output, outputs], (text) => {
    const isUse = referencesIn(text).some((reference) => reference.kind === 'parameter' && reference.name === name)
    if (isUse) found.push(renameIn(text, 'parameter', name, '_'))
    return text
  })
  return found
}

/** The similarity of two values: a path with different values counts half. */
function agreement(a: unknown, b: unknown): number {
  const [inA, inB] = [new Map(leaves(a)), new Map(leaves(b))]
  const paths = [...new Set([...inA.keys(), ...inB.keys()])]
  const points = paths.map((path) => {
    if (!inA.has(path) || !inB.has(path)) return 0
    return inA.get(path) === inB.get(path) ? 1 : 0.5
  })
  return paths.length === 0 ? 1 : points.reduce<number>((sum, point) => sum + point, 0) / paths.length
}

/** Every leaf value as text, with its path. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value) ?? '']]
  return Object.entries(value).flatMap(([name, field]) => leaves(field, `${path}.${name}`))
}

/** The share of common items; 1 if both are empty. */
function shared(a: readonly string[], b: readonly string[]): number {
  const all = new Set([...a, ...b])
  const [inA, inB] = [new Set(a), new Set(b)]
  return all.size === 0 ? 1 : [...all].filter((word) => inA.has(word) && inB.has(word)).length / all.size
}
