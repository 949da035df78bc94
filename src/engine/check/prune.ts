/** The document that an execution of a draft runs: only the needed part, so that unfinished nodes elsewhere don't matter. */

import { partsOfWire } from '../../../shared/names.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import { parseTemplate, type Reference, TemplateProblem } from '../../../shared/template/template.ts'
import { show } from '../../../shared/text.ts'
import { isObject, isTemplate } from '../../../shared/values.ts'
import { fixOfName } from '../../domain/fix.ts'
import { checker } from '../../domain/validate.ts'
import { nameOfDraft } from '../../domain/workflows/draft.ts'
import { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { checkDeclarations } from './parameters.ts'

export interface Pruned {
  /** It is checked like any other document. */
  document: Record<string, unknown>
  /** Converts an issue of that document to the paths of the draft. */
  mapIssue(issue: Issue): Issue
}

/**
 * The nodes that the draft's outputs, or this node, need by wires and by names in templates. Unused parameters stay declared, so
 * that they can be passed. With `node`, no parameter is required, and `format` is that of its image.
 */
export function pruneDraft(
  draft: Record<string, unknown>,
  node?: string,
  format?: string,
): Pruned | { issues: Issue[] } {
  const nodes = isObject(draft.nodes) ? draft.nodes : {}
  if (node !== undefined && !Object.hasOwn(nodes, node)) {
    const hint = didYouMean(node, Object.keys(nodes)) || 'Name a node of the draft.'
    const message = `is ${show(node)}, which is not a node of the draft. ${hint}`
    return { issues: [{ path: 'node', message, ...fixOfName(node, Object.keys(nodes)) }] }
  }
  if (node === undefined && draft.output === undefined) {
    const message = 'is required. Set the output of the draft, or pass "node" to execute up to that node.'
    return { issues: [{ path: 'output', message }] }
  }
  const output = node === undefined ? draft.output : { node, ...(format === undefined ? {} : { format }) }
  const outputs = node === undefined ? draft.outputs : undefined
  const seen: Seen = { parameters: new Set(), templatesLeft: limits.templatesMax, charsLeft: limits.templatesCharsMax }
  const all = [output, ...(isObject(outputs) ? Object.values(outputs) : [])].filter(isObject)
  const neededNodes = isObject(output) ? neededOf(nodes, all, seen) : {}
  const declared = declarationsOf(draft.parameters, seen.parameters, node !== undefined)
  return {
    document: {
      name: nameOfDraft(draft),
      ...(declared === undefined ? {} : { parameters: declared.values }),
      // If nothing is left, the problem of the output explains why.
      nodes: Object.keys(neededNodes).length > 0 ? neededNodes : (draft.nodes ?? {}),
      output,
      ...(outputs === undefined ? {} : { outputs }),
    },
    mapIssue(issue) {
      const { path, message } = issue
      if (node !== undefined && path === 'output.node') return { ...issue, path: 'node' }
      const [, index, rest = ''] = /^parameters\.(\d+)(\..*)?$/.exec(path) ?? []
      const original = index === undefined ? undefined : declared?.indexes[Number(index)]
      if (original === undefined) return issue
      const inDraft = message.replace(/(?<=already declared at parameters\.)\d+/, (first) =>
        String(declared?.indexes[Number(first)]),
      )
      return { ...issue, path: `parameters.${original}${rest}`, message: inDraft }
    },
  }
}

const checkDeclaration = checker(ParameterDeclaration)

/** The names that were found in templates, and how many templates are still read. A document with more is rejected. */
interface Seen {
  parameters: Set<string>
  templatesLeft: number
  charsLeft: number
}

function neededOf(
  nodes: Record<string, unknown>,
  outputs: readonly Record<string, unknown>[],
  seen: Seen,
): Record<string, unknown> {
  const needed = new Set<string>()
  const waiting = outputs.flatMap(({ node, ...settings }) => [
    ...[node].flat().flatMap(nodeOfWire),
    ...namedIn(settings, seen),
  ])
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needed.has(id) || !Object.hasOwn(nodes, id)) continue
    needed.add(id)
    // One by one: a call accepts a limited number of arguments.
    for (const need of needsOf(nodes[id], seen)) waiting.push(need)
  }
  return Object.fromEntries(Object.entries(nodes).filter(([id]) => needed.has(id)))
}

/** The draft can have any form. */
function needsOf(node: unknown, seen: Seen): string[] {
  if (!isObject(node) || node.pinned !== undefined) return []
  const wires = isObject(node.inputs) ? Object.values(node.inputs).flat() : []
  return [...wires.flatMap(nodeOfWire), ...[node.params, node.each, node.when].flatMap((value) => namedIn(value, seen))]
}

function nodeOfWire(wire: unknown): string[] {
  return typeof wire === 'string' ? [partsOfWire(wire).node] : []
}

/** The nodes that its templates name. */
function namedIn(value: unknown, seen: Seen): string[] {
  if (isTemplate(value))
    return referencesIn(value, seen).flatMap((reference) => (reference.kind === 'value' ? [reference.node] : []))
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((part) => namedIn(part, seen))
}

/** Empty for an invalid template: the check reports it. */
function referencesIn(text: string, seen: Seen): Reference[] {
  seen.templatesLeft -= 1
  seen.charsLeft -= text.length
  if (seen.templatesLeft < 0 || seen.charsLeft < 0) return []
  try {
    const { references } = parseTemplate(text)
    for (const reference of references) if (reference.kind === 'parameter') seen.parameters.add(reference.name)
    return references
  } catch (error) {
    if (error instanceof TemplateProblem) return []
    throw error
  }
}

/** The needed declarations, and those of the others that are valid. `indexes`: their positions in the draft. */
function declarationsOf(parameters: unknown, named: ReadonlySet<string>, isPart: boolean) {
  if (parameters === undefined) return undefined
  if (!Array.isArray(parameters) || parameters.length > limits.parametersMax) return { values: parameters, indexes: [] }
  const values: unknown[] = []
  const indexes: number[] = []
  const names = new Set<string>()
  for (const [index, declaration] of parameters.entries()) {
    if (isObject(declaration) && typeof declaration.name === 'string' && named.has(declaration.name)) {
      values.push(declaration)
    } else if (isRight(declaration) && !names.has(declaration.name)) {
      names.add(declaration.name)
      values.push(isPart ? { ...declaration, required: false } : declaration)
    } else continue
    indexes.push(index)
  }
  return { values, indexes }
}

function isRight(declaration: unknown): declaration is ParameterDeclaration {
  return (
    checkDeclaration(declaration).length === 0 && checkDeclarations([declaration as ParameterDeclaration]).length === 0
  )
}
